import { sorts } from "../../../src/api/tokens/list/order/sorts.ts";
import { adjectives, nouns, prose } from "../../api/seed/words.ts";
import { type Attack, pickCombination } from "./attack.ts";

const path = (q: string, rest = "") => `/api/tokens?q=${encodeURIComponent(q)}${rest}`;

/** Texts whose trigrams are all common, although the text itself is rare. */
export const rareSearches: Attack = {
  description: "GET /api/tokens?q=, common trigrams that rarely occur together",
  prepare: async () => (count) => {
    const [first, second, third] = pickCombination(count, prose, adjectives, nouns);
    return { path: path(`${first} ${second} ${third}`) };
  },
};

/** Texts that a large part of all tokens contains, in a different order each time. */
export const broadSearches: Attack = {
  description: "GET /api/tokens?q=, each matching many tokens, in every order",
  prepare: async () => {
    const common = [..."abcdefghijklmnopqrstuvwxyz", ...prose];
    return (count) => {
      const [q, sort, board] = pickCombination(count, common, sorts, ["all", "new"]);
      return { path: path(q, `&sort=${sort}&board=${board}&limit=100&page=${(count % 50) + 1}`) };
    };
  },
};

const odd = [
  "%",
  "_",
  "\\",
  "%_%",
  "'",
  '"',
  "🚀🚀🚀",
  "👩‍👩‍👧‍👦",
  "\u202e",
  "Ǆǆ",
  "ﬀ",
  "İ",
  "0x",
  "0x0",
  "0xf",
  " a ",
  "e e",
];

export const oddSearches: Attack = {
  description: "GET /api/tokens?q=, 200 characters of wildcards, emoji and the like",
  prepare: async () => (count) => {
    const [text] = pickCombination(count, odd);
    const long = (count % 3 === 0 ? text : text.repeat(200)).slice(0, 195).toWellFormed();
    return { path: path(long + (count % 7)) };
  },
};
