/**
 * Returns a name and a symbol for consumers that reject a token without them. Control characters, invisible ones (zero-width,
 * bidirectional marks, variation selectors, joiners of emoji), lone surrogates and combining marks that would cover other lines are
 * removed, and spaces trimmed and collapsed.
 * If nothing visible is left, the name falls back to the symbol and the symbol to the name, then both to the shortened address.
 */
export function displayNames(token: { name: string; symbol: string; address: string }): {
  name: string;
  symbol: string;
} {
  const name = visible(token.name);
  const symbol = visible(token.symbol);
  const address = `${token.address.slice(0, 6)}...${token.address.slice(-4)}`;
  return { name: name ?? symbol ?? address, symbol: symbol ?? name ?? address };
}

/** U+2800 is a Braille character without dots: blank, although Unicode classes it as a symbol. */
const spaces = /[\s\u2800]+/gu;
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Marks with no letter before them, and those after the third on a letter. */
const looseMarks = /(^| )\p{M}+/gu;
const stackedMarks = /(\p{M}{3})\p{M}+/gu;
const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns a stranger's text as one line that affects nothing around it. May be empty. */
export const plainLine = (text: string): string =>
  text
    .replaceAll(spaces, " ")
    .replaceAll(invisible, "")
    .replaceAll(looseMarks, "$1")
    .replaceAll(stackedMarks, "$1")
    .replaceAll(/ +/g, " ")
    .trim();

function visible(text: string): string | undefined {
  const shown = plainLine(text);
  return visibleCharacter.test(shown) ? shown : undefined;
}
