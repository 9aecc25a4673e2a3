import { type Fitting, fitText } from "./drawn-text.ts";
import { fontFamily, type Weight } from "./fonts.ts";

/** In pixels: the size that sites expect of a link's preview. */
export const cardSize = { width: 1_200, height: 630 };

export const colours = {
  ground: "#0d0f13",
  surface: "#15181e",
  line: "#262c35",
  text: "#edf0f4",
  muted: "#9ba6b3",
  accent: "#f0b429",
  up: "#3fcf8e",
};

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export type TextAt = {
  x: number;
  y: number;
  size: number;
  weight?: Weight;
  colour?: string;
  anchor?: "start" | "middle" | "end";
};

/** A line of text, which must consist of drawable characters. */
export function textAt(
  text: string,
  { x, y, size, weight = 400, colour = colours.text, anchor = "start" }: TextAt,
): string {
  const escaped = text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
  return `<text x="${x}" y="${y}" font-family="${fontFamily}" font-size="${size}" font-weight="${weight}" fill="${colour}" text-anchor="${anchor}">${escaped}</text>`;
}

/** Like {@link textAt}, but in at most the given width. */
export function fittedTextAt(text: string, at: TextAt & Pick<Fitting, "width" | "minSize">): string {
  const fitted = fitText(text, { weight: 400, ...at });
  return textAt(fitted.text, { ...at, size: fitted.size });
}

/** A value below its label. */
export function labelledValue(
  label: string,
  value: string,
  { x, y, width }: { x: number; y: number; width: number },
): string {
  return (
    textAt(label, { x, y, size: 26, colour: colours.muted }) +
    fittedTextAt(value, { x, y: y + 50, width, size: 42, minSize: 22, weight: 700 })
  );
}

/** The whole card: the content on the background, with the launchpad's name and the footer. */
export function cardSvg(content: string, footer: string): string {
  const { width, height } = cardSize;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${colours.ground}"/>
<rect width="${width}" height="10" fill="${colours.accent}"/>
${content}
<line x1="64" x2="1136" y1="548" y2="548" stroke="${colours.line}" stroke-width="2"/>
${textAt("Launchpad", { x: 64, y: 594, size: 28, weight: 700 })}
${textAt(footer, { x: 1136, y: 594, size: 26, colour: colours.muted, anchor: "end" })}
</svg>`;
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });
const exact = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const subscripts = [..."₀₁₂₃₄₅₆₇₈₉"];

/** Formats like 12.3K, and below a thousandth with the zeros counted, as the explorer's pages do: 0.0₆12 is 0.00000012. */
export function formatShort(value: string | number): string {
  const number = Number(value);
  if (number === 0 || number >= 0.001) return number < 1 ? exact.format(number) : compact.format(number);
  const [mantissa = "", exponent = ""] = number.toExponential(2).split("e-");
  const zeros = [...String(Number(exponent) - 1)].map((digit) => subscripts[Number(digit)]).join("");
  return `0.0${zeros}${mantissa.replace(".", "").replace(/0+$/, "")}`;
}

/** Formats like "1,234 holders". */
export const formatCount = (count: number, noun: string) =>
  `${count < 1e6 ? count.toLocaleString("en") : compact.format(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Formats in USD if known, else in BNB. */
export const formatMoney = (bnb: string, usd: string | undefined) =>
  usd === undefined ? `${formatShort(bnb)} BNB` : `$${formatShort(usd)}`;
