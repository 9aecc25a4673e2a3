/*
 * How registrations are searched: `searchText` is stored with each row, and indexed by all its trigrams (the SQL function
 * offchain.trigrams) and by the Chinese characters, emoji and other signs in name and symbol, and pairs of them in the description
 * (offchain.signs). `searchFor`
 * turns a query into conditions on both. Case is folded here, the same way for both, so that a search does not depend on
 * the locale of the database.
 */

/** Marks the start of the fields that short queries match in: name and symbol. */
const start = "\u0001";
/** Marks the start of the description. */
const elsewhere = "\u0002";

/** The text that searches for this registration match. */
export function searchText(fields: { name: string; symbol: string; description?: string | null }): string {
  const { name, symbol, description } = fields;
  return start + plain(name) + start + plain(symbol) + elsewhere + plain(description ?? "");
}

export type Search = {
  /** The function whose index answers it. */
  index: "trigrams" | "signs";
  /** The function finds all of these in the search text of a row that matches. */
  parts: string[];
  /** Part of the search text of a row that matches. */
  text: string;
};

/** What offchain.signs indexes: of most scripts that have no alphabet, and emoji, one or two characters are a word. */
const sign = /[\u2000-\u{10ffff}©®]/u;

/**
 * A query of three or more characters matches anywhere in name, symbol or description. One of one or two characters matches
 * anywhere in name or symbol if it has a {@link sign}, and in the description if both are signs, else at the start of name or symbol. A character is a Unicode code point,
 * after case is folded.
 */
export function searchFor(query: string): Search {
  const folded = fold(query);
  const characters = [...folded];
  if (characters.length > 2) return { index: "trigrams", parts: trigramsOf(characters), text: folded };
  // The part decides where it is found.
  if (sign.test(folded)) return { index: "signs", parts: [folded], text: folded };
  return { index: "trigrams", parts: [start + folded], text: start + folded };
}

/**
 * The searches for a query: for what it says and, if it has other white space than single spaces, as of copied text or a Chinese keyboard,
 * for the same with single spaces, which search texts have but for those that an earlier version is still writing.
 */
export function searchesFor(query: string): Search[] {
  const spaced = query.replaceAll(/\s+/g, " ");
  return spaced === query ? [searchFor(query)] : [searchFor(query), searchFor(spaced)];
}

export type SimilarSearch = {
  /** offchain.trigrams finds all parts of one of these in the search text of a row that matches. */
  candidates: string[][];
  /** A regular expression of Postgres that name and symbol of a row match, as they are in its search text. */
  pattern: string;
};

const minSimilarLength = 5;
/** The pattern has the query four times for each of its characters, and what Postgres needs for it grows with the fourth power. */
const maxSimilarLength = 40;
const minLengthForAnyWord = 7;

/**
 * Finds names and symbols in which a word begins like the query, but for one character that is wrong, missing, too much, or exchanged with
 * the next one: the first word of either if it is right in its first two characters, and any word if it is right from the fourth on and has
 * seven. Undefined for a query with fewer than five characters or more than forty, or others than letters, digits and spaces.
 */
export function searchForSimilar(query: string): SimilarSearch | undefined {
  const folded = fold(query.replaceAll(/\s+/g, " "));
  const characters = [...folded];
  if (characters.length < minSimilarLength || characters.length > maxSimilarLength) return undefined;
  if (!/^[\p{L}\p{N} ]+$/u.test(folded)) return undefined;
  const beginning = (end: number) => characters.slice(0, end).join("");
  const rest = (from: number) => characters.slice(from).join("");
  const any = `[^${start}${elsewhere}]`;
  const variants = characters.flatMap((character, at) => [
    beginning(at) + any + rest(at + 1),
    beginning(at) + any + rest(at),
    beginning(at) + rest(at + 1),
    beginning(at) + (characters[at + 1] ?? "") + character + rest(at + 2),
  ]);
  return {
    candidates: [
      [start + beginning(2)],
      ...(characters.length < minLengthForAnyWord ? [] : [trigramsOf(characters.slice(3))]),
    ],
    pattern: `(^|[^[:alnum:]])(${[...new Set(variants)].join("|")})`,
  };
}

const trigramsOf = (characters: string[]): string[] => [
  ...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""))),
];

/**
 * Folds case, and the two forms of the lower-case Greek sigma. Leaves out variation selectors, which some keyboards add to
 * an emoji and others don't.
 */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(/[\ufe0e\ufe0f]/g, "");
}

/** With single spaces, as queries mean them: nobody sees how many a name has. */
function plain(text: string): string {
  return fold(text)
    .replaceAll(start, " ")
    .replaceAll(elsewhere, " ")
    .replaceAll("\0", "")
    .replaceAll(/\s+/g, " ");
}
