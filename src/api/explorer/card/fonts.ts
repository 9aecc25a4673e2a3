import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The parts of opentype.js's Font that we use: https://github.com/opentypejs/opentype.js */
type Font = {
  unitsPerEm: number;
  /** Returns 0 if the font has no glyph for the character. */
  charToGlyphIndex(character: string): number;
  charToGlyph(character: string): { advanceWidth?: number };
};

const require = createRequire(import.meta.url);

/** Inter by weight, from npm, so that the machine needs no fonts installed. */
export const fontFiles = {
  400: require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  700: require.resolve("@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf"),
} as const;

export type Weight = keyof typeof fontFiles;

export const fontFamily = "Inter";

const parsed = new Map<Weight, Font>();

function loadFont(weight: Weight): Font {
  const known = parsed.get(weight);
  if (known !== undefined) return known;
  // Loaded with the first card, and by `require`, since Node and Vite import this package differently.
  const opentype: { parse(bytes: ArrayBuffer): Font } = require("opentype.js");
  const bytes = readFileSync(fontFiles[weight]);
  const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  parsed.set(weight, font);
  return font;
}

/** Whether the font has a glyph for the character; others would be drawn as a box. */
export function hasGlyph(character: string): boolean {
  return character === " " || loadFont(700).charToGlyphIndex(character) > 0;
}

/** How much wider than the sum of its letters a text may be. */
const kerningAllowance = 1.03;

/** Returns an upper bound for the text's width in pixels. */
export function widthOf(text: string, size: number, weight: Weight): number {
  const font = loadFont(weight);
  let units = 0;
  for (const character of text) units += font.charToGlyph(character).advanceWidth ?? font.unitsPerEm;
  return (kerningAllowance * units * size) / font.unitsPerEm;
}
