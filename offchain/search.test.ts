import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { searchFor, searchText } from "./search.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

async function matches(text: string, query: string): Promise<boolean> {
  const search = searchFor(query);
  const [row] = await database.query<{ found: boolean }>(
    "select offchain.trigrams($1) @> $2::text[] and strpos($1, $3) > 0 as found",
    [text, search.trigrams, search.text],
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

test("no match runs from one field into the next", async () => {
  expect(await matches(searchText({ name: "ab", symbol: "cd", description: "ef" }), "bcd")).toBe(false);
});

test("the index never hides what the text holds", async () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 }).filter(isPrintable);
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
