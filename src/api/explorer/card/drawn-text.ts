import { hasShape, type Weight, widthOf } from "./fonts.ts";

/** Letters, digits and signs of their own width. Whatever acts on its surroundings (marks, bidi, joiners) is left out. */
const drawn = /[\p{L}\p{N}\p{P}\p{S} ]/u;

/** What can be drawn of a creator's text: one line, without control, bidi and other characters that the font lacks. */
export function drawable(text: string): string {
  const characters = [...text.normalize("NFC").slice(0, 1_000).replace(/\s+/gu, " ")];
  return characters
    .filter((character) => drawn.test(character) && hasShape(character))
    .join("")
    .replace(/ +/g, " ")
    .trim();
}

export type Fitting = { width: number; size: number; smallest: number; weight: Weight };

/** The text in the largest size that fits, or cut off at the smallest one. */
export function fitText(
  text: string,
  { width, size, smallest, weight }: Fitting,
): { text: string; size: number } {
  const fitting = Math.min(size, Math.floor((size * width) / widthOf(text, size, weight)));
  if (text === "" || fitting >= smallest) return { text, size: text === "" ? size : fitting };
  const characters = [...text];
  const cut = () => `${characters.join("").trimEnd()}…`;
  while (characters.length > 0 && widthOf(cut(), smallest, weight) > width) characters.pop();
  return { text: cut(), size: smallest };
}
