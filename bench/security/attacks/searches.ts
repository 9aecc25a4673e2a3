import { sorts } from "../../../src/api/tokens/list/order/sorts.ts";
import { adjectives, nouns, prose } from "../../api/seed/words.ts";
import { type Attack, choose } from "./attack.ts";

const path = (q: string, rest = "") => `/api/tokens?q=${encodeURIComponent(q)}${rest}`;

/** Texts of two words: all of their trigrams are common, the text itself is not. */
export const rareSearches: Attack = {
  what: "GET /api/tokens?q=, common trigrams that hardly ever stand together",
  prepare: async () => (count) => {
    const [first, second, third] = choose(count, prose, adjectives, nouns);
    return { path: path(`${first} ${second} ${third}`) };
  },
};

/** What a large part of all tokens has, in another order each time. */
export const broadSearches: Attack = {
  what: "GET /api/tokens?q=, each finding many tokens, in every order",
  prepare: async () => {
    const common = [..."abcdefghijklmnopqrstuvwxyz", ...prose];
    return (count) => {
      const [q, sort, board] = choose(count, common, sorts, ["all", "new"]);
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
  what: "GET /api/tokens?q=, 200 characters of wildcards, emoji and the like",
  prepare: async () => (count) => {
    const [text] = choose(count, odd);
    const long = (count % 3 === 0 ? text : text.repeat(200)).slice(0, 195).toWellFormed();
    return { path: path(long + (count % 7)) };
  },
};
