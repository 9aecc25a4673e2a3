/** Escapes untrusted text for HTML and SVG. */
export const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export type Box = { x: number; y: number; width: number; height: number };

const round = (value: number) => Number(value.toFixed(2));

export const rectangle = ({ x, y, width, height }: Box, style: string, title: string) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(Math.max(0, height))}" ${style}><title>${escapeText(title)}</title></rect>`;

export const label = (x: number, y: number, text: string, anchor: "start" | "middle" | "end" = "middle") =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeText(text)}</text>`;

const line = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;

export const svg = (width: number, height: number, name: string, parts: string[]) =>
  `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(name)}">${parts.join("")}</svg>`;

/** The ticks of an axis: round values from 0 up to at least the largest value. */
function ticksUpTo(largest: number): number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Formats a number in few characters. */
export const short = (value: number) =>
  value.toLocaleString("en", {
    notation: value >= 10_000 ? "compact" : "standard",
    maximumSignificantDigits: 3,
  });

/** One bar, or several that are stacked or side by side. */
export type Group = { name: string; values: { name: string; value: number }[] };

const [width, height] = [760, 260];
const frame = { left: 56, top: 12, right: 8, bottom: 34 };
const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };

/** A chart with vertical bars for the values of each group. */
export function columnChart(
  name: string,
  groups: Group[],
  { stacked = false, unit }: { stacked?: boolean; unit: string },
): string {
  const tops = groups.map(({ values }) =>
    values.reduce((top, { value }) => (stacked ? top + value : Math.max(top, value)), 0),
  );
  const ticks = ticksUpTo(Math.max(...tops, 0));
  const scale = inner.height / (ticks.at(-1) ?? 1);
  const base = frame.top + inner.height;
  const slot = inner.width / Math.max(1, groups.length);
  // Label only as many groups as fit.
  const every = Math.ceil(groups.length / 12);

  const grid = ticks.map((tick) => {
    const y = base - tick * scale;
    return `${line(frame.left, y, width - frame.right, y)}${label(frame.left - 6, y + 4, short(tick), "end")}`;
  });
  const bars = groups.flatMap((group, index) => {
    const left = frame.left + index * slot + 0.12 * slot;
    const share = stacked ? 1 : group.values.length;
    let below = 0;
    const drawn = group.values.map(({ name: of, value }, order) => {
      const bar = rectangle(
        {
          x: left + (stacked ? 0 : (order * 0.76 * slot) / share),
          y: base - (below + value) * scale,
          width: (0.76 * slot) / share,
          height: value * scale,
        },
        `class="c${order % 5}"`,
        `${group.name}, ${of}: ${short(value)} ${unit}`,
      );
      if (stacked) below += value;
      return bar;
    });
    return index % every === 0 ? [...drawn, label(left + 0.38 * slot, height - 14, group.name)] : drawn;
  });
  return svg(width, height, name, [...grid, ...bars]);
}

/** A cell whose colour shows its share, from 0 to 1. */
export type Cell = { row: string; column: number; share: number; title: string };

/** A chart with rows of coloured cells, such as a cohort triangle. */
export function heatMap(name: string, cells: Cell[]): string {
  const rows = [...new Set(cells.map(({ row }) => row))];
  const columns = Math.max(0, ...cells.map(({ column }) => column)) + 1;
  const [width, left, top, step] = [760, 90, 20, 18];
  const slot = (width - left) / columns;
  const every = Math.ceil(columns / 24);
  const heads = Array.from({ length: columns }, (_, column) =>
    column % every === 0 ? label(left + (column + 0.5) * slot, 13, String(column)) : "",
  );
  const drawn = cells.map(({ row, column, share, title }) =>
    rectangle(
      { x: left + column * slot, y: top + rows.indexOf(row) * step, width: slot - 1, height: step - 1 },
      `class="c0" fill-opacity="${(0.04 + 0.96 * share).toFixed(3)}"`,
      title,
    ),
  );
  const names = rows.map((row, index) => label(left - 8, top + index * step + 13, row, "end"));
  return svg(width, top + rows.length * step, name, [...heads, ...names, ...drawn]);
}
