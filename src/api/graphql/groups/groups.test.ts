import { expect, test } from "vitest";
import * as exports from "../../../../ponder.schema.ts";
import { createGraphql } from "../create-graphql.ts";
import { graphqlLimits } from "../limits.ts";
import type { Statement } from "../read/column-list.ts";

const { schema, graphql } = createGraphql(exports);

/** Runs a query of a chain whose last indexed block is on 2026-07-01; `rows` are what sums are read from. */
async function ask(source: string, rows: unknown[][] = []) {
  const sums: Statement[] = [];
  const today = String(Date.parse("2026-07-01T12:00:00Z") / 1_000);
  const read = async (statement: Statement) => {
    if (statement.text.includes("_ponder_checkpoint")) return [["bsc", 56, today.padEnd(75, "0")]];
    sums.push(statement);
    return rows;
  };
  const { data, errors } = await graphql.graphql({ schema, source, contextValue: { read } });
  return { data, sums, errors: errors?.map(({ message, extensions }) => [extensions.code, message]) };
}

const groups = (where: string, items: string, by = "day") =>
  `{ tradeGroups(where: { chainId: 56 ${where} }, by: ${by}) { items { ${items} } } }`;

test.each([
  ["", "day trades buys sells volumeWei volumeUsdX18", "day", true],
  [', token: "0xaa"', "day trades", "day", true],
  ["", "day traders", "day", false],
  ["", "day realisedWei", "day", false],
  ["", "venue trades", "venue", false],
  [', trader: "0xaa"', "day trades", "day", false],
  [', token: "0xaa", side: buy', "day trades", "day", false],
  [', token_in: ["0xaa"]', "day trades", "day", false],
  [", token: null", "day trades", "day", false],
])("where: { chainId: 56%s }, %s by %s: from running totals is %s", async (where, items, by, isRunning) => {
  const { errors, sums } = await ask(groups(where, items, by));
  expect(errors).toBeUndefined();
  expect(sums.map(({ text }) => text.includes("volume_to_date_wei"))).toEqual([isRunning]);
});

test("only the selected sums are computed", async () => {
  const { sums } = await ask(groups(', trader: "0xaa"', "day trades"));
  expect(sums[0]?.text).not.toMatch(/distinct|realised_wei > 0|sum\(realised/);
  const { sums: distinct } = await ask(groups(', trader: "0xaa"', "day tokens"));
  expect(distinct[0]?.text).toContain("count(distinct token)");
});

test("the days are the last thirty by default, and one bound sets the other", async () => {
  const day = (iso: string) => Date.parse(iso) / 1_000 / 86_400;
  const daysOf = async (args: string) => {
    const { sums } = await ask(`{ tradeGroups(where: { chainId: 56 } ${args}) { items { day } } }`);
    return sums[0]?.values.slice(-2);
  };
  expect(await daysOf("")).toEqual([day("2026-06-02"), day("2026-07-01")]);
  expect(await daysOf('from: "2026-06-30"')).toEqual([day("2026-06-30"), day("2026-07-01")]);
  expect(await daysOf('to: "2026-01-30"')).toEqual([day("2026-01-01"), day("2026-01-30")]);
});

test("a from after to is refused, and one after the last block isn't", async () => {
  const errors = async (args: string) =>
    (await ask(`{ tradeGroups(where: { chainId: 56 } ${args}) { items { day } } }`)).errors;
  expect(await errors('from: "2026-06-30", to: "2026-06-29"')).toEqual([
    ["invalid_argument", "from of tradeGroups must not be later than to."],
  ]);
  expect(await errors('from: "2026-06-30", to: "2026-06-30"')).toBeUndefined();
  expect(await errors('from: "2026-07-02"')).toBeUndefined();
});

test("days that reach back too far from the last block are refused", async () => {
  const args = 'chainId: 56, token: "0xaa", from:';
  expect((await ask(`{ candlesByDay(${args} "2025-05-28") { day } }`)).errors).toBeUndefined();
  expect((await ask(`{ candlesByDay(${args} "2025-05-27") { day } }`)).errors).toEqual([
    ["invalid_argument", expect.stringContaining("at most 400 days")],
  ]);
});

test.each([
  ["{ tradeGroups(where: { chainId: 56 }) { total { trades traders } } }", "trades"],
  ["{ positionTotals(where: { chainId: 56 }) { positions } }", "positions"],
])("%s is refused if it would leave rows out", async (source, what) => {
  const rowOf = (read: number) => [[read, ...(what === "trades" ? ["20000"] : []), 1, 1, 1]];
  const { groupedRows: most } = graphqlLimits;
  expect((await ask(source, rowOf(most))).errors).toBeUndefined();
  const { data, errors } = await ask(source, rowOf(most + 1));
  expect(data).toBeNull();
  expect(errors).toEqual([["query_too_expensive", expect.stringContaining(`more than 100,000 ${what}`)]]);
});
