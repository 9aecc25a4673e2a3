import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** What we use of a font: https://github.com/opentypejs/opentype.js */
type Font = {
  unitsPerEm: number;
  /** 0 where the font has no shape for it. */
  charToGlyphIndex(character: string): number;
  charToGlyph(character: string): { advanceWidth?: number };
};

const require = createRequire(import.meta.url);

/** Weights of Inter. A machine need not have a font of its own. */
export const fontFiles = {
  400: require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  700: require.resolve("@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf"),
} as const;

export type Weight = keyof typeof fontFiles;

export const fontFamily = "Inter";

const parsed = new Map<Weight, Font>();

function fontOf(weight: Weight): Font {
  const known = parsed.get(weight);
  if (known !== undefined) return known;
  // Loaded with the first card. Required, since Node and Vite disagree on what an import of this package has.
  const opentype: { parse(bytes: ArrayBuffer): Font } = require("opentype.js");
  const bytes = readFileSync(fontFiles[weight]);
  const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  parsed.set(weight, font);
  return font;
}

/** Whether the font has a shape for the character; others would be drawn as a box. */
export function hasShape(character: string): boolean {
  return character === " " || fontOf(700).charToGlyphIndex(character) > 0;
}

/** What a letter beside certain others may take more than by itself. */
const besideOthers = 1.03;

/** Pixels that the text takes at most. */
export function widthOf(text: string, size: number, weight: Weight): number {
  const font = fontOf(weight);
  let units = 0;
  for (const character of text) units += font.charToGlyph(character).advanceWidth ?? font.unitsPerEm;
  return (besideOthers * units * size) / font.unitsPerEm;
}
