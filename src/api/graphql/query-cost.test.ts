import { parse } from "graphql";
import { expect, test } from "vitest";
import * as schema from "../../../ponder.schema.ts";
import { pageFields } from "./page-fields.ts";
import { mostConditions, queryCost, queryCostWeights } from "./query-cost.ts";

const { page, totalCount, defaultLimit, unindexed } = queryCostWeights;
const pages = pageFields(schema);
const cost = (query: string, variables = {}) => queryCost(parse(query), { variables, pages });

test("a page costs its limit, or the default one", () => {
  expect(cost("{ tokens(limit: 5) { items { name } } }")).toBe(page + 5);
  expect(cost("{ tokens { items { name } } }")).toBe(page + defaultLimit);
});

test("a single row costs one", () => {
  expect(cost('{ token(chainId: 56, address: "0x") { name curve { progress } } }')).toBe(2);
});

test("a page inside a page is read once for each row around it", () => {
  expect(cost("{ tokens(limit: 5) { items { trades(limit: 3) { items { id } } } } }")).toBe(
    page + 5 + 5 * (page + 3),
  );
});

test("a limit in a variable counts as much, given or by default", () => {
  const query = "query ($n: Int = 7) { tokens(limit: $n) { items { name } } }";
  expect(cost(query, { n: 900 })).toBe(page + 900);
  expect(cost(query)).toBe(page + 7);
});

test("fragments and aliases hide nothing", () => {
  const direct = cost("{ a: tokens(limit: 9) { items { holders(limit: 9) { items { balance } } } } }");
  expect(
    cost(
      "{ ...f } fragment f on Query { a: tokens(limit: 9) { ...g } } fragment g on tokenPage { items { ... on token { ...h } } } fragment h on token { holders(limit: 9) { items { balance } } }",
    ),
  ).toBe(direct);
  expect(cost("{ a: tokens(limit: 9) { items { name } } b: tokens(limit: 9) { items { name } } }")).toBe(
    2 * (page + 9),
  );
});

test("totalCount and a deep offset cost what they make the database read", () => {
  expect(cost("{ trades(limit: 0) { totalCount } }")).toBe(page + totalCount);
  expect(cost("{ trades(limit: 1, offset: 1000000) { items { id } } }")).toBe(page + 1 + 10_000);
});

test("a page is one whatever it asks for", () => {
  expect(cost("{ trades(limit: 1000) { __typename } }")).toBe(page + 1_000);
  expect(
    cost("{ tokens(limit: 10) { ... { items { holders(limit: 100) { pageInfo { hasNextPage } } } } } }"),
  ).toBe(page + 10 + 10 * (page + 100));
});

test("an order or a condition without an index costs what it makes the database read", () => {
  expect(cost('{ trades(limit: 1, orderBy: "timestamp", where: { chainId: 56 }) { items { id } } }')).toBe(
    page + 1,
  );
  expect(cost('{ trades(limit: 1, orderBy: "bnbAmount") { items { id } } }')).toBe(page + 1 + unindexed);
  expect(
    cost('{ tokens(limit: 1, where: { OR: [{ name_contains: "a" }, { symbol: "b" }] }) { items { name } } }'),
  ).toBe(page + 1 + 2 * unindexed);
});

test("candles in the order of time and positions by their last trade come from an index", () => {
  expect(
    cost(
      `{ token(chainId: 56, address: "0x") {
           candles(limit: 100, where: { interval: "1h" }, orderBy: "openTime") { items { closeX36 } }
           positions(limit: 10, orderBy: "lastTradeAt") { items { realisedBnb } }
         } }`,
    ),
  ).toBe(1 + page + 100 + page + 10);
});

test("conditions in variables count as those in the text, and too many are too many", () => {
  const query = "query ($where: tradeFilter) { trades(limit: 1, where: $where) { items { id } } }";
  expect(cost(query, { where: { tx: "0x", bnbAmount_gt: "1" } })).toBe(page + 1 + 2 * unindexed);
  const many = Array.from({ length: mostConditions }, () => ({ id: "1" }));
  expect(cost(query, { where: { OR: many } })).toBe(Number.POSITIVE_INFINITY);
});

test("the fields that are pages are those that Ponder makes pages of", () => {
  expect([...pages].sort()).toEqual(
    "accounts bnbUsdAnswers candles createdTokens curves dexPairs earlyBuyers holders holdings launchpadTotalss listings pairs positions tokens trades".split(
      " ",
    ),
  );
});

test("of several operations the most expensive one counts", () => {
  expect(
    cost("query a { tokens(limit: 3) { items { name } } } query b { tokens(limit: 8) { items { name } } }"),
  ).toBe(page + 8);
});
