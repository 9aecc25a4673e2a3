/**
 * Returns a name and a symbol for consumers that reject a token without them. Control characters, invisible ones (zero-width,
 * bidirectional marks, variation selectors, joiners of emoji) and lone surrogates are removed, and spaces trimmed and collapsed.
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
const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;

function visible(text: string): string | undefined {
  const shown = text.replaceAll(spaces, " ").replaceAll(invisible, "").replaceAll(/ +/g, " ").trim();
  return visibleCharacter.test(shown) ? shown : undefined;
}
