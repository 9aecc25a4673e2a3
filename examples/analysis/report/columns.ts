import { label, line, rectangle, short, svg, ticksUpTo } from "./svg.ts";

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
