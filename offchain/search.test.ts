import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyCharacter } from "../test/fuzz/any-character.ts";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { type Search, searchesFor, searchFor, searchForSimilar, searchText } from "./search.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const matches = (text: string, query: string) => isFound(text, searchFor(query));

async function isFound(text: string, search: Search): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    `select offchain.${search.index}($1) @> $2::text[] and strpos($1, $3) > 0 as found`,
    [text, search.parts, search.text],
  );
  return row?.found === true;
}

const token = {
  name: "Brave Otter",
  symbol: "OTR",
  description: "Swims 100% of the way_home. 小狗狗 🚀🚀🚀",
};

test.each([
  "otter",
  "OTTER",
  "ve ot",
  "otr",
  "100% of",
  "way_home",
  "小狗狗",
  "🚀🚀🚀",
  "b",
  "br",
  "O",
  "ot",
])("%s is found", async (query) => expect(await matches(searchText(token), query)).toBe(true));

test.each(["otters", "ve  ot", "1000", "way%home", "r", "sw", "tt", "🚀🚀🚀🚀"])("%s is not", async (query) =>
  expect(await matches(searchText(token), query)).toBe(false),
);

const memes = { name: "a超级小狗币 Ⓜ️ I ❤️ 👍🏽👩‍🚀🇧🇷1️⃣", symbol: "币🐶X", description: "猫咪 🦊🦊" };

test.each([
  ...["超级", "小狗", "狗币", "狗", "币", "币🐶", "🐶x", "🐶X", "a超", "A超", "Ⓜ"],
  // An emoji with or without the selector that some keyboards add.
  ...["❤️", "❤", "❤︎", "1️⃣", "1⃣", "I ❤️", "i ❤"],
  // Two of the description.
  ...["猫咪", "🦊🦊"],
  // With a skin tone, without, and of which others are made.
  ...["👍🏽", "👍", "👩‍🚀", "👩", "🚀", "🇧🇷"],
])("%s is found anywhere in a name or symbol, or as two signs of a description", async (query) =>
  expect(await matches(searchText(memes), query)).toBe(true),
);

test.each(["级超", "小币", "币a", "猫", "咪", "🦊", "咪 ", "👍🏿", "👨‍🚀", "🇧🇪", "x", "1", "\ufe0f"])(
  "%s is not found there",
  async (query) => expect(await matches(searchText(memes), query)).toBe(false),
);

test("one or two characters, one of them no letter of an alphabet, are found as plain SQL finds them", async () => {
  const letters = fc.constantFrom(..."aB1 é©™小狗币あア한글🚀👍🏽\u200d🇧🇷");
  const text = fc.string({ unit: letters, maxLength: 12 });
  const query = fc
    .string({ unit: letters, minLength: 1, maxLength: 2 })
    .filter((short) => /[^aB1 é]/u.test(short));
  await fc.assert(
    fc.asyncProperty(text, text, text, query, async (name, symbol, description, short) => {
      const [plain] = await database.query(
        `select strpos(lower($1), lower($4)) > 0 or strpos(lower($2), lower($4)) > 0
           or ($5::boolean and strpos(lower($3), lower($4)) > 0) as found`,
        [name, symbol, description, short, /^[\u2000-\u{10ffff}]{2}$/u.test(short)],
      );
      expect(await matches(searchText({ name, symbol, description }), short)).toBe(plain?.found);
    }),
    { numRuns: 500 },
  );
});

test("white space in a query stands for a single space too, as well as for itself", async () => {
  const found = async (text: string, query: string) =>
    (await Promise.all(searchesFor(query).map((search) => isFound(text, search)))).includes(true);
  const plain = searchText(token);
  for (const query of ["brave  otter", "ve \u3000ot", "100%\u00a0of"]) {
    expect([query, await found(plain, query)]).toEqual([query, true]);
  }
  for (const name of ["Brave  Otter", "Brave\u3000Otter", "Brave\u00a0 Otter"]) {
    const spaced = searchText({ name, symbol: "OTR", description: "All  of it" });
    for (const query of [name, "brave otter", "all of it"]) {
      expect([name, query, await found(spaced, query)]).toEqual([name, query, true]);
    }
  }
  expect(await found(plain, "bra  ve")).toBe(false);
  expect(searchesFor("brave otter")).toHaveLength(1);
  expect(searchForSimilar("brave  oter")).toEqual(searchForSimilar("brave oter"));
});

test("no match runs from one field into the next", async () => {
  expect(await matches(searchText({ name: "ab", symbol: "cd", description: "ef" }), "bcd")).toBe(false);
});

test("the index never hides what the text holds", async () => {
  const text = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }).filter(isPrintable);
  await fc.assert(
    fc.asyncProperty(text, text, fc.nat(), fc.nat(), async (name, description, from, length) => {
      const characters = [...description];
      const at = from % characters.length;
      const query = characters.slice(at, at + 3 + (length % 10)).join("");
      fc.pre([...query.toLowerCase()].length >= 3);
      // Case folding looks around itself: what a part folds to need not be a part of what the whole folds to.
      fc.pre(description.toLowerCase().includes(query.toLowerCase()));
      expect(await matches(searchText({ name, symbol: "S", description }), query)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

async function matchesSimilar(text: string, query: string): Promise<boolean> {
  const { candidates = [], pattern = "" } = searchForSimilar(query) ?? {};
  for (const parts of candidates) {
    const [row] = await database.query<{ found: boolean }>(
      "select offchain.trigrams($1) @> $2::text[] and split_part($1, U&'\\0002', 1) ~ $3 as found",
      [text, parts, pattern],
    );
    if (row?.found) return true;
  }
  return false;
}

const turtle = searchText({ name: "Turtle Racing", symbol: "TRTL", description: "Giraffe" });

test.each(["turtel", "Turtls", "tutle", "turrtle", "turtle racinng", "rurtle racing"])(
  "%s is almost found",
  async (query) => expect(await matchesSimilar(turtle, query)).toBe(true),
);

test.each(["racimg", "tuttel", "giraffw", "urtle", "turt", "turtl.", "rcaing"])("%s is not", async (query) =>
  expect(await matchesSimilar(turtle, query)).toBe(false),
);

test("a long query is compared up to forty characters, and a longer one is almost like nothing", async () => {
  const letters = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const text = searchText({ name: letters.slice(0, 64).join(""), symbol: "LONG" });
  const mistyped = (length: number) => [...letters.slice(0, 20), "x", ...letters.slice(21, length)].join("");
  expect(await matchesSimilar(text, mistyped(40))).toBe(true);
  for (const length of [41, 200]) expect(await matchesSimilar(text, mistyped(length))).toBe(false);
});

test("a word with one wrong character is found by its beginning, and by its end where that is long enough", async () => {
  const letters = fc.constantFrom(..."abcдé熊1");
  const word = fc.string({ unit: letters, minLength: 5, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.nat(),
      letters,
      fc.constantFrom(0, 1, 2, 3),
      async (name, place, letter, kind) => {
        const characters = [...name];
        const at = 2 + (place % (characters.length - 2));
        const [here = "", next = ""] = characters.slice(at);
        // Wrong, missing, too much, exchanged.
        const typo = [[letter], [], [letter, here], [next, here]][kind] ?? [];
        const query = [
          ...characters.slice(0, at),
          ...typo,
          ...characters.slice(at + (kind === 3 ? 2 : 1)),
        ].join("");
        fc.pre([...query].length >= 5);
        expect(await matchesSimilar(searchText({ name, symbol: "S" }), query)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
