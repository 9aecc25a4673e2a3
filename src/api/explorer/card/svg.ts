import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** In pixels: the size that sites expect of a link's preview. */
export const cardSize = { width: 1_200, height: 630 };

export const colours = {
  ground: "#0d0f13",
  surface: "#15181e",
  line: "#262c35",
  text: "#edf0f4",
  muted: "#9ba6b3",
  up: "#3fcf8e",
};

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML and SVG, also within attributes. */
export const escapeMarkup = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

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
  return `<text x="${x}" y="${y}" font-family="${fontFamily}" font-size="${size}" font-weight="${weight}" fill="${colour}" text-anchor="${anchor}">${escapeMarkup(text)}</text>`;
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

/** What a card shows of the operator's brand. */
export type CardBrand = {
  name: string;
  accent: string;
  /** As a data URL; undefined without one. */
  logo: string | undefined;
};

/** The whole card: the content on the background, with the brand and the footer. */
export function cardSvg(content: string, footer: string, { name, accent, logo }: CardBrand): string {
  const { width, height } = cardSize;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${colours.ground}"/>
<rect width="${width}" height="10" fill="${accent}"/>
${content}
<line x1="64" x2="1136" y1="548" y2="548" stroke="${colours.line}" stroke-width="2"/>
${logo === undefined ? "" : `<image x="64" y="564" width="40" height="40" href="${escapeMarkup(logo)}"/>`}
${fittedTextAt(toDrawable(name), { x: logo === undefined ? 64 : 118, y: 594, width: 560, size: 28, minSize: 20, weight: 700 })}
${textAt(footer, { x: 1136, y: 594, size: 26, colour: colours.muted, anchor: "end" })}
</svg>`;
}

const compact = (locale: string) =>
  new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 4 });
const exact = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const subscripts = [..."₀₁₂₃₄₅₆₇₈₉"];

/** Formats like 12.3K, or 1.23万, and below a thousandth with the zeros counted, as the explorer's pages do: 0.0₆12 is 0.00000012. */
export function formatShort(value: string | number, locale: string): string {
  const number = Number(value);
  if (number === 0 || number >= 0.001) {
    return number < 1 ? exact.format(number) : compact(locale).format(number);
  }
  const [mantissa = "", exponent = ""] = number.toExponential(2).split("e-");
  const zeros = [...String(Number(exponent) - 1)].map((digit) => subscripts[Number(digit)]).join("");
  return `0.0${zeros}${mantissa.replace(".", "").replace(/0+$/, "")}`;
}

/** Formats like 1,234, and millions like 1.234M. */
export const formatCount = (count: number, locale: string) =>
  count < 1e6 ? count.toLocaleString(locale) : compact(locale).format(count);

/** Formats in USD if known, else in the chain's coin. */
export const formatMoney = (
  bnb: string,
  usd: string | undefined,
  { chainId, locale }: { chainId: number; locale: string },
) =>
  usd === undefined
    ? `${formatShort(bnb, locale)} ${chainId === 97 ? "tBNB" : "BNB"}`
    : `$${formatShort(usd, locale)}`;

/** Letters, digits and symbols that stand on their own. Excludes whatever affects its surroundings (marks, bidi, joiners). */
const drawableCharacter = /[\p{L}\p{N}\p{P}\p{S} ]/u;

/** Drawn as a patch of colour behind an emoji that is drawn in one colour. */
const skinTone = /\p{Emoji_Modifier}/u;

/** Reduces a creator's text to one line that can be drawn, without control or bidi characters or any that our fonts lack. */
export function toDrawable(text: string): string {
  const characters = [...text.normalize("NFC").slice(0, 1_000).replace(/\s+/gu, " ")];
  return characters
    .filter((character) => drawableCharacter.test(character) && !skinTone.test(character))
    .filter((character) => character === " " || fontOf(character, 700) !== undefined)
    .join("")
    .replace(/ +/g, " ")
    .trim();
}

type Fitting = { width: number; size: number; minSize: number; weight: Weight };

/** Returns the text in the largest size that fits, or shortened in the minimum size. */
export function fitText(
  text: string,
  { width, size, minSize, weight }: Fitting,
): { text: string; size: number } {
  const fittingSize = Math.min(size, Math.floor((size * width) / widthOf(text, size, weight)));
  if (text === "" || fittingSize >= minSize) return { text, size: text === "" ? size : fittingSize };
  let rest = width - widthOf("…", minSize, weight);
  const characters = [...text];
  const end = characters.findIndex((character) => {
    rest -= widthOf(character, minSize, weight);
    return rest < 0;
  });
  return { text: `${characters.slice(0, end).join("").trimEnd()}…`, size: minSize };
}

/** The parts of opentype.js's Font that we use: https://github.com/opentypejs/opentype.js */
type Font = {
  unitsPerEm: number;
  /** Returns 0 if the font has no glyph for the character. */
  charToGlyphIndex(character: string): number;
  charToGlyph(character: string): { advanceWidth?: number };
};

const require = createRequire(import.meta.url);

const weights = [400, 700] as const;
type Weight = (typeof weights)[number];

const fontFamily = "Inter";

/**
 * The files of our fonts by weight, from npm, so that the machine needs no fonts installed. A character is drawn in the first font that
 * has it: Inter, then one with the Chinese characters of GB 2312 and most of Big5's usual ones, then one with emoji.
 */
const fontFiles: Record<Weight, readonly string[]> = {
  400: [
    require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
    require.resolve("@expo-google-fonts/zcool-qingke-huangyou/400Regular/ZCOOLQingKeHuangYou_400Regular.ttf"),
    require.resolve("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf"),
  ],
  700: [
    require.resolve("@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf"),
    require.resolve("@expo-google-fonts/zcool-qingke-huangyou/400Regular/ZCOOLQingKeHuangYou_400Regular.ttf"),
    require.resolve("@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf"),
  ],
};

const parsed = new Map<string, Font>();

function loadFont(file: string): Font {
  const cached = parsed.get(file);
  if (cached !== undefined) return cached;
  // Loaded when first needed, and by `require`, since Node and Vite import this package differently.
  const opentype: { parse(bytes: ArrayBuffer): Font } = require("opentype.js");
  const bytes = readFileSync(file);
  const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  parsed.set(file, font);
  return font;
}

/** The file of the first font that has the character; undefined if none has, so that it would be drawn as a box. */
const fontOf = (character: string, weight: Weight): string | undefined =>
  fontFiles[weight].find((file) => loadFont(file).charToGlyphIndex(character) > 0);

/** How much wider than the sum of its letters a text may be. */
const kerningAllowance = 1.03;

/** Returns an upper bound for the text's width in pixels. */
export function widthOf(text: string, size: number, weight: Weight): number {
  let ems = 0;
  for (const character of text) {
    const font = loadFont(fontOf(character, weight) ?? fontFiles[weight][0] ?? "");
    ems += (font.charToGlyph(character).advanceWidth ?? font.unitsPerEm) / font.unitsPerEm;
  }
  return kerningAllowance * ems * size;
}

/** Renders one of our SVGs to PNG off the event loop. Loads no files except the fonts named here. */
export async function renderCard(svg: string): Promise<Buffer> {
  // The library asks for a diagnostic report when it is loaded, to learn which libc this is. For the report Node would look up the
  // host names of every open connection, one after the other, and nothing else would run: for over a minute with 256 connections.
  // Node's types lack the property.
  Object.assign(process.report, { excludeNetwork: true });
  // Loaded with the first card: it is a large native library.
  const { renderAsync } = await import("@resvg/resvg-js");
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: filesFor(svg), defaultFontFamily: fontFamily },
  });
  return image.asPng();
}

/** The files of the fonts that have the characters of an SVG: Inter always, and the larger ones only when they are needed. */
function filesFor(svg: string): string[] {
  const unusual = new Set(svg.match(/[^\0-\u024f]/gu) ?? []);
  return weights
    .flatMap((weight) => [
      fontFiles[weight][0] ?? "",
      ...[...unusual].flatMap((character) => fontOf(character, weight) ?? []),
    ])
    .filter((file, at, files) => files.indexOf(file) === at);
}
