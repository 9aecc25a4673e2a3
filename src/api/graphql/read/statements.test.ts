import { expect, test } from "vitest";
import * as exports from "../../../../ponder.schema.ts";
import { createGraphql } from "../create-graphql.ts";
import { encodeCursor } from "../cursor.ts";
import { type ApiTable, readApiSchema } from "../tables.ts";
import type { Statement } from "./column-list.ts";

const { schema, graphql } = createGraphql(exports);
const { tables } = readApiSchema(exports);

/** Returns the statements that a query runs; `answer` provides the rows of each. */
async function statementsOf(source: string, answer: (statement: Statement) => unknown[][] = () => []) {
  const statements: Statement[] = [];
  const read = async (statement: Statement) => {
    statements.push(statement);
    return answer(statement);
  };
  const { errors } = await graphql.graphql({ schema, source, contextValue: { read } });
  expect(errors).toBeUndefined();
  return statements;
}

test("only selected columns are read", async () => {
  const [statement] = await statementsOf("{ tokens(limit: 2) { items { name } } }");
  expect(statement?.text).toMatch(/^select "name" from "onchain"."token"\s+order by .* limit 3\s*$/);
});

test("related rows of a list are read by one statement, however long the list is", async () => {
  const tokens = Array.from({ length: 20 }, (_, number) => [56, `0x${number}`]);
  const statements = await statementsOf(
    "{ tokens(limit: 20) { items { curve { progress } trades(limit: 3) { items { id traderAccount { trades { totalCount } } } } } } }",
    ({ text }) => {
      if (text.startsWith('select "chain_id"')) return tokens;
      // A trade of each token, all by one account.
      return text.includes("limit 4")
        ? tokens.map((_, at) => [at + 1, `id ${at}`, 56, "0xaa"])
        : tokens.map((_, at) => [at + 1, 56, "0xaa"]);
    },
  );
  const read = statements.map(({ text }) => text.match(/"onchain"."(\w+)"/)?.[1]);
  expect(read).toEqual(["token", "curve", "trade", "account", "trade"]);
  // The account that all trades refer to is read once. Its trades are read, and count, as often as they appear.
  expect(statements[3]?.values).toEqual([56, "0xaa"]);
  expect(statements[4]?.values).toEqual([Array(20).fill(56), Array(20).fill("0xaa")]);
});

test("no statement returns more rows of nested pages than the largest page has", async () => {
  const tokens = Array.from({ length: 25 }, (_, number) => [56, `0x${number}`]);
  const statements = await statementsOf(
    "{ tokens(limit: 25) { items { trades(limit: 100) { items { id } } } } }",
    ({ text }) => (text.startsWith('select "chain_id"') ? tokens : []),
  );
  expect(statements.slice(1).map(({ values }) => (values[0] as unknown[]).length)).toEqual([10, 10, 5]);
});

test("a reference that is null causes no statement", async () => {
  const statements = await statementsOf("{ curves { items { lastTrade { id } } } }", () => [[56, null]]);
  expect(statements).toHaveLength(1);
});

const curve = tables.get("curve") as ApiTable;
const cursor = (lastTradeAt: string | null) =>
  encodeCursor({ lastTradeAt, chainId: 56, token: "0xaa" }, ["lastTradeAt", "chainId", "token"], curve);

/** Returns the conditions of a page of curves after a cursor, ordered by the last trade, which may be null. */
async function conditionsAt(at: string | null, direction: string, where = "chainId: 56") {
  const [statement] = await statementsOf(
    `{ curves(where: { ${where} }, orderBy: "lastTradeAt", orderDirection: "${direction}", limit: 5, after: "${cursor(at)}") { items { progress } } }`,
  );
  return [...(statement?.text ?? "").matchAll(/ where (.*?) order by /g)].map(([, conditions]) => conditions);
}

test("ascending from a value: the greater values, then the nulls", async () => {
  expect(await conditionsAt("7", "asc")).toEqual([
    '"chain_id" = $1 and ("last_trade_at", "token") >= ($2, $3)',
    '"chain_id" = $1 and "last_trade_at" is null',
  ]);
});

test("ascending from a null: the nulls after it, by an index that begins there", async () => {
  expect(await conditionsAt(null, "asc")).toEqual([
    '"chain_id" = $1 and ("last_trade_at" is null and ("token") >= ($2))',
  ]);
});

test("descending from a null: the nulls after it, then the values", async () => {
  expect(await conditionsAt(null, "desc")).toEqual([
    '"chain_id" = $1 and ("last_trade_at" is null and ("token") <= ($2))',
    '"chain_id" = $1 and "last_trade_at" is not null',
  ]);
});

test("descending from a value: no nulls are left", async () => {
  expect(await conditionsAt("7", "desc")).toEqual([
    '"chain_id" = $1 and ("last_trade_at", "token") <= ($2, $3)',
  ]);
});

test.each(["chainId: 97", "chainId_in: [56]"])(
  "the comparison includes every column if %s",
  async (where) => {
    const [conditions] = await conditionsAt("7", "desc", where);
    expect(conditions).toContain('("last_trade_at", "chain_id", "token") <= (');
  },
);
