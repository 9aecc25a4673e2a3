import { expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { checkEqualityValue, checkWhere } from "./column-values.ts";
import { type ApiColumn, readApiSchema, tableOf } from "./tables.ts";

const { tables } = readApiSchema(exports);
const trade = tableOf("trade", tables);
const account = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C9365aFE";
const hash = `0x${"ab".repeat(32)}`;

const check = (where: object) => () => checkWhere(where, trade, "trades");

test("an address or a hash that is none is refused, since no row would match it", () => {
  const message = "trader in where of trades must be 0x and 40 hexadecimal digits, or 64 for a hash.";
  for (const trader of [
    "vitalik.eth",
    "",
    "0x",
    "0x3f5c…5afe",
    account.slice(0, -1),
    `${account}0`,
    ` ${account}`,
    account.slice(2),
  ]) {
    expect(check({ trader }), trader).toThrow(message);
  }
  expect(check({ trader_in: [account, "PEPE"] })).toThrow(/^trader_in in where of trades must be 0x/);
  expect(check({ OR: [{ AND: [{ tx_not: "0x" }] }] })).toThrow(/^tx_not in where of trades must be 0x/);
});

test("addresses in any spelling, hashes, and parts of either are compared", () => {
  for (const where of [
    { trader: account, tx: hash },
    { trader_in: [account.toLowerCase(), account.toUpperCase().replace("X", "x")] },
    { trader_contains: "5afe", tx_starts_with: "0xab" },
    { trader: null },
  ]) {
    expect(check(where)).not.toThrow();
  }
});

test("a number that isn't whole, or that the column can't hold, is refused", () => {
  const column = trade.columns.get("chainId") as ApiColumn;
  for (const chainId of [56.5, 2 ** 31, -(2 ** 31) - 1, 1e99]) {
    expect(() => checkEqualityValue(chainId, column, "chainId of token")).toThrow(
      "chainId of token must be a whole number between -2^31 and 2^31 - 1.",
    );
  }
  expect(() => checkEqualityValue(56, column, "chainId of token")).not.toThrow();
});

test("a chain that isn't indexed is refused", () => {
  const column = { ...(trade.columns.get("chainId") as ApiColumn), values: ["56"] };
  const indexed = { ...trade, columns: new Map([...trade.columns, ["chainId", column]]) };
  expect(() => checkWhere({ chainId: 97 }, indexed, "trades")).toThrow(
    "chainId in where of trades must be one of 56.",
  );
  expect(() => checkWhere({ chainId_in: [56, 97] }, indexed, "trades")).toThrow(/must be one of 56/);
  expect(() => checkWhere({ chainId: 56, chainId_gt: 97 }, indexed, "trades")).not.toThrow();
});

test("what GraphQL would read as another whole number is refused", () => {
  for (const value of [2 ** 53, 1e18, 1.5, "", " ", true, {}]) {
    const message = / in where of trades must be a whole number as text, such as "1000000000000000000"\.$/;
    expect(check({ bnbAmountWei: value }), String(value)).toThrow(message);
    expect(check({ timestamp_gt: value }), String(value)).toThrow(message);
    expect(check({ block_in: ["1", value] }), String(value)).toThrow(message);
  }
  // Cursors have bigints.
  for (const value of ["9007199254740993", "-1", "0x10", 2 ** 53 - 1, 2n ** 60n]) {
    expect(check({ bnbAmountWei: value, timestamp_gt: value }), String(value)).not.toThrow();
  }
});

test("a null that no row would match, or that would be read as a text, is refused", () => {
  for (const operator of ["_gt", "_gte", "_lt", "_lte"]) {
    expect(check({ [`timestamp${operator}`]: null })).toThrow(
      `timestamp${operator} in where of trades must not be null: leave it out for no condition.`,
    );
  }
  expect(check({ OR: [{ trader_contains: null }] })).toThrow(
    /^trader_contains in where of trades must not be null/,
  );
  expect(check({ id_starts_with: null })).toThrow(/^id_starts_with in where of trades must not be null/);
  const inList = /must have no null in its list: ask for nulls by trader: null/;
  expect(check({ trader_in: [account, null] })).toThrow(inList);
  expect(check({ trader_not_in: [null] })).toThrow(inList);
  expect(check({ AND: [{ trader: null }, { trader_not: null }, { bnbUsdX8: null }] })).not.toThrow();
});

test("an OR of no filters is refused, since it would let everything through", () => {
  expect(check({ OR: [] })).toThrow("OR in where of trades has no filters: leave it out for no condition.");
  expect(check({ AND: [{ side: "buy" }, { OR: [] }] })).toThrow(/^OR in where of trades has no filters/);
});

test("a filter without conditions in an OR is refused, since it would count as if it weren't there", () => {
  const refused =
    "OR in where of trades has a filter without conditions, which everything meets: leave it out, or give its variables values.";
  expect(check({ OR: [{ side: "buy" }, {}] })).toThrow(refused);
  expect(check({ OR: [{}] })).toThrow(refused);
  expect(check({ OR: {} })).toThrow(refused);
  expect(check({ AND: [{ OR: [{ side: "buy" }, { AND: [{}] }] }] })).toThrow(refused);
  expect(check({ OR: [{ AND: [{}, { side: "buy" }] }], AND: [{}] })).not.toThrow();
  expect(check({})).not.toThrow();
});

test("a list in place of a filter is refused, since GraphQL takes an empty one for a filter without conditions", () => {
  expect(check([])).toThrow("where of trades has a list for a filter: give an object.");
  expect(check({ AND: [[]] })).toThrow("where of trades has a list for a filter: give an object.");
  expect(check({ AND: [], OR: { side: "buy" } })).not.toThrow();
});
