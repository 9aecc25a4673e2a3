import { parse } from "graphql";
import { expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { queryCost, queryCostWeights } from "./query-cost.ts";
import { Parameters } from "./read/column-list.ts";
import { conditionsOf } from "./read/statements.query.ts";
import { statisticsOf } from "./table-statistics.query.ts";
import { orderColumns, readApiSchema, tableOf } from "./tables.ts";

/* Ids begin with the chain in GraphQL, and not in tables. */

const schema = readApiSchema(exports);
const trade = tableOf("trade", schema.tables);
const curve = tableOf("curve", schema.tables);
const [id, other] = ["000045612378-000042", "000045612379-000001"];

function sqlOf(where: object, table = trade) {
  const parameters = new Parameters();
  const conditions = conditionsOf(where, table, parameters).join(" and ");
  return [conditions, ...parameters.values];
}

test.each([
  [{ id: `56-${id}` }, '(("chain_id" = $1 and "id" in ($2)))', 56, id],
  [{ id }, '(("id" in ($1)))', id],
  [
    { id_in: [`56-${id}`, `97-${id}`, `56-${other}`, other] },
    '(("chain_id" = $1 and "id" in ($2, $3)) or ("chain_id" = $4 and "id" in ($5)) or ("id" in ($6)))',
    ...[56, id, other, 97, id, other],
  ],
  [{ id_in: [] }, "false"],
  [{ id_not_in: [] }, "not false"],
  [{ id_not: `56-${id}` }, 'not (("chain_id" = $1 and "id" in ($2)))', 56, id],
  [{ id_starts_with: "56-0000456" }, `("chain_id" || '-' || "id") like $1`, "56-0000456%"],
])("%j", (where, ...expected) => {
  expect(sqlOf(where)).toEqual(expected);
});

test("an id that may be null differs from a value only if there is one", () => {
  const differs = 'not (("chain_id" = $1 and "last_trade_id" in ($2))) and "last_trade_id" is not null';
  expect(sqlOf({ lastTradeId_not: `56-${id}` }, curve)).toEqual([`(${differs})`, 56, id]);
  expect(sqlOf({ lastTradeId: null }, curve)).toEqual(['"last_trade_id" is null']);
});

test("ids sort as the key does", () => {
  expect(orderColumns(trade, "id")).toEqual(["chainId", "id"]);
  expect(orderColumns(curve, "lastTradeId")).toEqual(["lastTradeId", "chainId", "token"]);
});

const sizes = [...schema.tables.values()].flatMap(({ sqlTables }) => sqlTables);
const statistics = statisticsOf(
  [...new Set(sizes)].map((table) => ({ table, size: 2_000_000 })),
  [],
);
const cost = (query: string, variables = {}) =>
  queryCost(parse(query), { variables, schema, statistics }).total;

test("an id says the chain, so that the key finds its row", () => {
  const page = queryCostWeights.page + 50;
  expect(cost(`{ trades(where: { id: "56-${id}" }) { items { side } } }`)).toBe(page);
  expect(cost(`{ trades(where: { chainId: 56, id: "${id}" }) { items { side } } }`)).toBe(page);
  expect(cost(`{ trades(where: { id: "${id}" }) { items { side } } }`)).toBeGreaterThan(20_000);
  const list = JSON.stringify([`56-${id}`, `97-${id}`]);
  expect(cost(`{ trades(where: { id_in: ${list} }) { items { side } } }`)).toBeLessThan(page + 5);
});

const key = (value: string, chainId = "56") =>
  `{ trade(chainId: ${chainId}, id: ${JSON.stringify(value)}) { side } }`;
const where = (condition: string) =>
  `{ trades(limit: 1, where: { chainId: 56, ${condition} }) { items { side } } }`;

test.each([
  [
    key("000045612378"),
    "id of trade must be an id such as 56-000045612378-000042: chain, block and log index.",
  ],
  [key(`97-${id}`), "id of trade is of chain 97, but chainId is 56."],
  [where('id: "0xaa"'), /^id in where of trades must be an id such as/],
  [where(`id_in: ["56-${id}", "56"]`), /^id_in in where of trades must be an id such as/],
  [where('id_starts_with: "0000456"'), /^id_starts_with in where of trades must begin with the chain/],
  [where('AND: [{ id_not: "" }]'), /^id_not in where of trades must be an id such as/],
])("%s is refused", (query, message) => {
  expect(() => cost(query)).toThrow(message);
});

test("ids of earlier versions, parts of ids, and nulls are no errors", () => {
  for (const value of [id, `56-${id}`]) expect(cost(key(value))).toBe(1);
  expect(() =>
    cost('query ($chain: Float!) { trade(chainId: $chain, id: "97-000045612378-000042") { side } }', {
      chain: 56,
    }),
  ).toThrow("is of chain 97");
  for (const condition of [
    'id_contains: "0456"',
    `id_ends_with: "${id}"`,
    'id_starts_with: "56-"',
    'id_starts_with: "9"',
  ]) {
    expect(() => cost(where(condition)), condition).not.toThrow();
  }
  expect(() => cost("{ curves(where: { lastTradeId: null }, limit: 1) { items { token } } }")).not.toThrow();
});
