/** Anyone can write names, symbols, descriptions and links. These functions remove everything that affects the text around them. */

/** Control, bidi, zero-width and other invisible characters, except the joiner of emoji. */
const invisible =
  /\u034f|[\u180b-\u180f]|[\p{Cc}\p{Cs}\p{Co}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** More than three combining marks on one letter would cover the lines around it. */
const marks = /(\p{M}{3})\p{M}+/gu;

/** Marks with no letter before them would be drawn on the text before this one. */
const looseMarks = /(^|\s)\p{M}+/gu;

/** U+2800 is a Braille character without dots: blank, although Unicode classes it as a symbol. */
const spaces = /[\s\u2800]+/gu;

/** Nothing else is seen by itself: joiners of emoji and variation selectors aren't. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A creator's text as one line. Empty if none of it is visible. */
export function plainText(text: string, maxCharacters = 200): string {
  const line = text
    .replace(spaces, " ")
    .replace(invisible, "")
    .replace(looseMarks, "$1")
    .replace(marks, "$1")
    .trim();
  if (!visible.test(line)) return "";
  const characters = [...line];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join("")}…` : line;
}

/** The lines of a creator's text, with at most one empty line in a row. */
export function plainLines(text: string): string[] {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => plainText(line, 2_000));
  return lines.filter((line, at) => line !== "" || lines[at - 1] !== "").slice(0, 100);
}
