/** Escapes untrusted text for HTML and SVG. */
export const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export type Box = { x: number; y: number; width: number; height: number };

const round = (value: number) => Number(value.toFixed(2));

export const rectangle = ({ x, y, width, height }: Box, style: string, title: string) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(Math.max(0, height))}" ${style}><title>${escapeText(title)}</title></rect>`;

export const label = (x: number, y: number, text: string, anchor: "start" | "middle" | "end" = "middle") =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeText(text)}</text>`;

export const line = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;

export const svg = (width: number, height: number, name: string, parts: string[]) =>
  `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(name)}">${parts.join("")}</svg>`;

/** The ticks of an axis: round values from 0 up to at least the largest value. */
export function ticksUpTo(largest: number): number[] {
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
