/*
 * How registrations are searched: `searchText` is stored with each row and indexed by all its trigrams (the SQL function
 * offchain.trigrams), and `searchFor` turns a query into conditions on both. Case is folded here, the same way for both,
 * so that a search does not depend on the locale of the database.
 */

/** Marks the start of the fields that short queries match at: name and symbol. */
const start = "\u0001";
/** Marks the start of the description. */
const elsewhere = "\u0002";

/** The text that searches for this registration match. */
export function searchText(fields: { name: string; symbol: string; description?: string | null }): string {
  const { name, symbol, description } = fields;
  return start + plain(name) + start + plain(symbol) + elsewhere + plain(description ?? "");
}

export type Search = {
  /** All of these are among the trigrams of a row that matches. */
  trigrams: string[];
  /** Part of the search text of a row that matches. */
  text: string;
};

/**
 * A query of three or more characters matches anywhere in name, symbol or description; one of one or two characters
 * the start of name or symbol. A character is a Unicode code point, after case is folded.
 */
export function searchFor(query: string): Search {
  const folded = fold(query);
  const characters = [...folded];
  if (characters.length <= 2) return { trigrams: [start + folded], text: start + folded };
  const trigrams = characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""));
  return { trigrams: [...new Set(trigrams)], text: folded };
}

/** Folds case, and the two forms of the lower-case Greek sigma. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

function plain(text: string): string {
  return fold(text).replaceAll(start, " ").replaceAll(elsewhere, " ").replaceAll("\0", "");
}
