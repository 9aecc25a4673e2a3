import { parse } from "graphql";
import { expect, test } from "vitest";
import { queryCost, queryCostWeights } from "./query-cost.ts";

const { page, totalCount, defaultLimit } = queryCostWeights;
const cost = (query: string, variables = {}) => queryCost(parse(query), variables);

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

test("a fragment cycle ends", () => {
  expect(cost("{ ...f } fragment f on Query { tokens(limit: 1) { items { name } } ...f }")).toBe(page + 1);
});

test("of several operations the most expensive one counts", () => {
  expect(
    cost("query a { tokens(limit: 3) { items { name } } } query b { tokens(limit: 8) { items { name } } }"),
  ).toBe(page + 8);
});
