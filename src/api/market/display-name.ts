/**
 * Names for those who refuse a token without one. Of what the chain has, control characters, those that are not to be
 * seen (zero-width, bidirectional marks, variation selectors, joiners of emoji) and lone surrogates are left out, and spaces
 * are trimmed and made single. Where nothing to be seen is left, the next best stands in: the other of name and
 * symbol, then the shortened address.
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

/** U+2800 is a Braille character without dots: a symbol, and blank. */
const spaces = /[\s\u2800]+/gu;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u;

function visible(text: string): string | undefined {
  const shown = text.replaceAll(spaces, " ").replaceAll(unseen, "").replaceAll(/ +/g, " ").trim();
  return seen.test(shown) ? shown : undefined;
}
