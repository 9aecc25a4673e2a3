import { hasGlyph, type Weight, widthOf } from "./fonts.ts";

/** Letters, digits and symbols that stand on their own. Excludes whatever affects its surroundings (marks, bidi, joiners). */
const drawableCharacter = /[\p{L}\p{N}\p{P}\p{S} ]/u;

/** Reduces a creator's text to one line that can be drawn, without control or bidi characters or any that the font lacks. */
export function toDrawable(text: string): string {
  const characters = [...text.normalize("NFC").slice(0, 1_000).replace(/\s+/gu, " ")];
  return characters
    .filter((character) => drawableCharacter.test(character) && hasGlyph(character))
    .join("")
    .replace(/ +/g, " ")
    .trim();
}

export type Fitting = { width: number; size: number; minSize: number; weight: Weight };

/** Returns the text in the largest size that fits, or shortened in the minimum size. */
export function fitText(
  text: string,
  { width, size, minSize, weight }: Fitting,
): { text: string; size: number } {
  const fittingSize = Math.min(size, Math.floor((size * width) / widthOf(text, size, weight)));
  if (text === "" || fittingSize >= minSize) return { text, size: text === "" ? size : fittingSize };
  const characters = [...text];
  const cut = () => `${characters.join("").trimEnd()}…`;
  while (characters.length > 0 && widthOf(cut(), minSize, weight) > width) characters.pop();
  return { text: cut(), size: minSize };
}
