/** Names, symbols, descriptions and links are written by anyone. What is shown of them has nothing that acts on its surroundings. */

/** Control, bidi, zero-width and other characters that have no shape of their own, except joiners of emoji. */
const invisible =
  /\u034f|[\u180b-\u180f]|[\p{Cc}\p{Cs}\p{Co}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** More marks than this on one letter would run over the lines around it. */
const marks = /(\p{M}{3})\p{M}+/gu;

/** One line of a creator's text. Empty if nothing of it can be seen. */
export function plainText(text: string, longest = 200): string {
  const line = text.replace(/\s+/gu, " ").replace(invisible, "").replace(marks, "$1").trim();
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
}

/** A creator's text of several lines, of which at most one in a row is empty. */
export function plainLines(text: string): string[] {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => plainText(line, 2_000));
  return lines.filter((line, at) => line !== "" || lines[at - 1] !== "").slice(0, 100);
}

/** What a token is called. One whose name can't be seen still has to be pointed at. */
export const displayName = (name: string) => plainText(name, 80) || "(no name)";
export const displaySymbol = (symbol: string) => plainText(symbol, 24) || "(no symbol)";

/** 0x1f09…1d17: enough to compare with another one at a glance. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
