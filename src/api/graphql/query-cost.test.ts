import { parse } from "graphql";
import { describe, expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { graphqlLimits } from "./limits.ts";
import { queryCost, queryCostWeights } from "./query-cost.ts";
import { statisticsOf } from "./table-statistics.query.ts";
import { readApiSchema } from "./tables.ts";

const schema = readApiSchema(exports);
const { page, readRows } = queryCostWeights;
const rows = 2_000_000;
const hot = `0x${"a".repeat(40)}`;
const cold = `0x${"1".repeat(40)}`;
const other = `0x${"3".repeat(40)}`;

/** Tables of 2,000,000 rows, a tenth of which belong to one token and one account. */
function statistics(size = rows) {
  const sqlTables = [...schema.tables.values()].flatMap((table) => table.sqlTables);
  const tables = [...new Set(sqlTables)].map((table) => ({ table, size }));
  const column = (name: string, distinct: number, common: Record<string, number> = {}) =>
    tables.map(({ table }) => ({
      table,
      column: name,
      distinct,
      values: Object.keys(common),
      shares: Object.values(common),
    }));
  return statisticsOf(tables, [
    ...column("chain_id", 1, { 56: 1 }),
    ...["token", "account", "trader", "creator"].flatMap((name) => column(name, -0.05, { [hot]: 0.1 })),
    ...["id", "address", "timestamp", "balance_raw", "created_at", "created_block"].flatMap((name) =>
      column(name, -1),
    ),
    ...["progress", "last_trade_at", "graduated_at", "open_time"].flatMap((name) => column(name, -0.5)),
    ...column("interval", 6, { "1m": 0.5, "1h": 0.1 }),
    ...column("graduated", 2, { f: 0.9, t: 0.1 }),
    ...column("burn_percent", 41, { 50: 0.05 }),
    ...column("name", -0.5, { PEPE: 0.02 }),
  ]);
}

/** The trades of a second are read together to sort them by id: one on average here, so up to ten in a busy second. */
const sameSecond = 10 / readRows;

const queryCostOf = (query: string, variables = {}, size?: number) =>
  queryCost(parse(query), { variables, schema, statistics: statistics(size) });
const cost = (query: string, variables = {}, size?: number) => queryCostOf(query, variables, size).total;

describe("rows that are returned", () => {
  test("a page costs its limit, or the default one", () => {
    expect(cost("{ tokens(limit: 5) { items { name } } }")).toBe(page + 5);
    expect(cost("{ tokens { items { name } } }")).toBe(page + 50);
    expect(cost("{ trades(limit: 1000) { __typename } }")).toBe(page + 1_000);
  });

  test("a single row costs one", () => {
    expect(cost(`{ token(chainId: 56, address: "${cold}") { name curve { progress } } }`)).toBe(2);
  });

  test("a nested page is read once for each row of the outer one", () => {
    expect(
      cost('{ tokens(limit: 5) { items { trades(limit: 3, orderBy: "timestamp") { items { id } } } } }'),
    ).toBe(page + 5 + 5 * (page + 3 + sameSecond));
  });

  test("a limit in a variable counts the same, given or by default", () => {
    const query = "query ($n: Int = 7) { tokens(limit: $n) { items { name } } }";
    expect(cost(query, { n: 900 })).toBe(page + 900);
    expect(cost(query)).toBe(page + 7);
    expect(cost(query, { n: null })).toBe(page + 50);
  });

  test("fragments, aliases and directives hide nothing", () => {
    const direct = cost("{ a: tokens(limit: 9) { items { holders(limit: 9) { items { balanceRaw } } } } }");
    expect(
      cost(
        "{ ...f } fragment f on Query { a: tokens(limit: 9) { ...g } } fragment g on tokenPage { items { ... on token { ...h } } } fragment h on token { holders(limit: 9) { items { balanceRaw } } }",
      ),
    ).toBe(direct);
    expect(
      cost(
        "{ a: tokens(limit: 9) { items { name } } b: tokens(limit: 9) @skip(if: true) { items { name } } }",
      ),
    ).toBe(2 * (page + 9));
  });

  test("the most expensive of several operations counts", () => {
    expect(
      cost("query a { tokens(limit: 3) { items { name } } } query b { tokens(limit: 8) { items { name } } }"),
    ).toBe(page + 8);
  });

  test("each value of a list counts, since it is looked up", () => {
    const query =
      "query ($list: [String]) { tokens(limit: 1, where: { chainId: 56, address_in: $list }) { items { name } } }";
    const list = Array.from({ length: 1_000 }, (_, index) => `0x${String(index).padStart(40, "0")}`);
    expect(cost(query, { list })).toBeGreaterThanOrEqual(page + 1_001);
  });
});

/** What a page costs besides itself and its rows, in rows of the table. */
function read(field: string, size?: number): number {
  const [, name = "", given = ""] = /^([\w.]+)(?:\((.*)\))?$/s.exec(field) ?? [];
  const [parent, child] = name.split(".");
  const args = `(limit: 0${given && `, ${given}`}) { __typename }`;
  const query = child
    ? `{ ${parent}(chainId: 56, address: "${cold}") { ${child}${args} } }`
    : `{ ${parent}${args} }`;
  return Math.round((cost(query, {}, size) - page - (child ? 1 : 0)) * readRows);
}

describe("rows that are read but not returned", () => {
  test.each([
    "tokens",
    'tokens(orderBy: "createdAt")',
    'tokens(where: { chainId: 56 }, orderBy: "createdAt", orderDirection: "desc")',
    'tokens(where: { chainId: 56 }, orderBy: "createdBlock")',
    `tokens(where: { chainId: 56, creator: "${cold}" }, orderBy: "createdAt")`,
    `tokens(where: { AND: [{ chainId: 56 }, { creator: "${cold}" }] }, orderBy: "createdAt")`,
    'tokens(where: { createdAt_gt: "5" }, orderBy: "createdAt")',
    'trades(orderBy: "timestamp")',
    `trades(where: { chainId: 56, token: "${cold}", timestamp_gte: "5", timestamp_lt: "9" }, orderBy: "timestamp")`,
    `trades(where: { chainId: 56, trader: "${cold}" }, orderBy: "timestamp")`,
    'curves(where: { chainId: 56, graduated: false }, orderBy: "progress")',
    'curves(where: { chainId: 56, graduated: true }, orderBy: "graduatedAt")',
    'curves(where: { chainId: 56 }, orderBy: "lastTradeAt")',
    "accounts(where: { chainId: 56 })",
    'token.trades(orderBy: "timestamp")',
    'token.holders(orderBy: "balanceRaw")',
    'token.holders(where: { kind: account, balanceRaw_gt: "0" }, orderBy: "balanceRaw")',
    "token.holders",
    'token.candles(where: { interval: "1h" }, orderBy: "openTime")',
    'token.candles(where: { interval: "1h", openTime_gte: "5" })',
    'token.positions(orderBy: "lastTradeAt")',
    'account.holdings(orderBy: "balanceRaw")',
    'account.positions(orderBy: "lastTradeAt")',
    'account.createdTokens(orderBy: "createdAt")',
    `listings(where: { chainId: 56, address: "${cold}" })`,
  ])("%s: (nearly) none, since an index has them in this order", (field) => {
    expect(read(field)).toBeLessThan(100);
  });

  test.each([
    ['candles(orderBy: "openTime")', rows],
    ['holders(orderBy: "balanceRaw")', rows],
    ["candles(where: { trades: 0 })", rows],
    // The view reads all three tables.
    ['listings(orderBy: "createdAt")', 3 * rows],
    ["listings(where: { verified: true })", 3 * rows],
    ["listings(where: { chainId: 56 })", 3 * rows],
    ["listings", 3 * rows],
    ['trades(orderBy: "bnbAmountWei")', rows],
    [`trades(where: { token: "${cold}" }, orderBy: "timestamp")`, rows],
    ['trades(where: { chainId: 56, venue: dex }, orderBy: "timestamp")', rows],
    ['trades(where: { chainId: 56, timestamp_gt: "9" })', rows],
    ['tokens(where: { name_contains: "a" })', rows],
    ['tokens(where: { chainId_not: 56 }, orderBy: "createdAt")', rows],
    [`tokens(where: { OR: [{ chainId: 56, creator: "${cold}" }] })`, rows],
    [`tokens(where: { OR: [{ creator: "${cold}" }, { symbol: "b" }], chainId: 56 })`, rows],
    ["curves(where: { graduatedAt: null, chainId: 56 })", rows],
    ['curves(where: { graduated: false }, orderBy: "progress")', 0.9 * rows],
    // Equal values are sorted together.
    ['tokens(where: { chainId: 56 }, orderBy: "burnPercent")', 0.05 * rows],
    // One token has a tenth of the rows; another known value has few.
    [`holders(where: { chainId: 56, token: "${hot}" }, orderBy: "kind")`, 0.1 * rows],
    [`trades(where: { chainId: 56, token: "${hot}", side: buy }, orderBy: "timestamp")`, 0.1 * rows],
  ])("%s: %i, since no index answers it", (field, expected) => {
    // A condition on a column without statistics does not narrow anything down.
    expect(read(field) / expected).toBeGreaterThan(0.99);
    expect(read(field) / expected).toBeLessThan(1.2);
  });

  test("a hash index finds equal values, but has no order", () => {
    expect(read('tokens(where: { name: "a" }, orderBy: "createdAt")')).toBeLessThan(1_000);
    expect(read('tokens(where: { name: "PEPE" }, orderBy: "salt")') / (0.02 * rows)).toBeCloseTo(1, 1);
    for (const unordered of ['tokens(orderBy: "name")', 'tokens(where: { name_gt: "a" }, orderBy: "name")']) {
      expect(read(unordered)).toBe(rows);
    }
  });

  test("few rows are sorted for a token that is not among the largest", () => {
    expect(read(`holders(where: { chainId: 56, token: "${cold}" }, orderBy: "kind")`)).toBeLessThan(1_000);
    expect(
      read(`holders(where: { chainId: 56, token: "${hot.toUpperCase()}" }, orderBy: "kind")`),
    ).toBeGreaterThan(100_000);
  });

  test("an OR of indexed conditions reads the rows that match them", () => {
    const few = read(
      `tokens(where: { chainId: 56, OR: [{ creator: "${cold}" }, { AND: [{ creator: "${other}" }, { name: "a" }] }] })`,
    );
    expect(read(`tokens(where: { chainId: 56, OR: [{ creator: "${hot}" }, { creator: "${other}" }] })`)).toBe(
      rows,
    );
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(1_000);
  });

  test("the same queries are cheap while the table is small", () => {
    for (const query of ['candles(orderBy: "openTime")', 'listings(orderBy: "createdAt")']) {
      expect(read(query, 80)).toBeLessThanOrEqual(240);
    }
  });

  test("a count costs as much as the rows that it counts", () => {
    expect(cost("{ trades(limit: 0) { totalCount } }")).toBe(page + rows / readRows);
    expect(
      cost(
        `{ trades(limit: 0, orderBy: "timestamp", where: { chainId: 56, token: "${cold}" }) { totalCount } }`,
      ),
    ).toBeLessThan(page + 10);
    // It is unknown which token it will be.
    expect(
      cost('{ tokens(limit: 2) { items { trades(limit: 0, orderBy: "timestamp") { totalCount } } } }'),
    ).toBeCloseTo(page + 2 + 2 * (page + (0.1 * rows) / readRows + sameSecond));
  });

  test("an offset costs the rows that it skips, at most the whole table", () => {
    expect(read("trades(offset: 1000000)")).toBe(1_000_000);
    expect(read("trades(offset: 2000000000)")).toBe(rows);
  });

  test("a condition whose variable has no value is ignored", () => {
    const query =
      'query ($token: String) { trades(limit: 0, where: { chainId: 56, token: $token }, orderBy: "bnbAmountWei") { __typename } }';
    expect(cost(query)).toBe(page + rows / readRows);
    expect(cost(query, { token: cold })).toBeLessThan(page + 10);
  });

  test("the most expensive field is named", () => {
    const { mostExpensive } = queryCostOf(
      '{ tokens { items { name } } candles(orderBy: "openTime") { __typename } }',
    );
    expect(mostExpensive).toMatchObject({ field: "candles", table: { name: "candle" } });
  });
});

test("candles of an interval that is not stored are refused, even by key", () => {
  const key = `chainId: 56, token: "${cold}", openTime: "0"`;
  for (const field of [
    'candles(where: { interval: "5m" })',
    'candles(where: { OR: [{ interval_in: ["1h", "1d"] }] })',
    `candle(${key}, interval: "4h")`,
  ]) {
    expect(() => cost(`{ ${field} { __typename } }`)).toThrow(/must be one of 1m, 1h/);
  }
  expect(cost(`{ candle(${key}, interval: "1h") { trades } }`)).toBe(1);
  expect(() => cost('{ candles(where: { interval_contains: "m" }) { __typename } }')).not.toThrow();
});

test("introspection has a cost, and can't go round in circles", () => {
  expect(cost("{ __schema { types { name fields { name type { name } } } } }")).toBe(
    queryCostWeights.introspection,
  );
  expect(() =>
    cost(
      "{ __schema { types { ...f } } } fragment f on __Type { fields { type { fields { type { fields { name } } } } } }",
    ),
  ).toThrow(/at most 2 deep/);
});

describe("rows that are summed", () => {
  const { summedRows } = queryCostWeights;
  const { groupedRows, groupedDays } = graphqlLimits;

  test("all that may match count, up to those that one field may read", () => {
    const groups = (where: string, items = "day traders") =>
      `{ tradeGroups(where: { chainId: 56 ${where} }, limit: 10) { items { ...f } } } fragment f on tradeGroup { ${items} }`;
    expect(cost(groups(""))).toBe(page + 10 + groupedRows / summedRows);
    expect(cost(groups(`, token: "${hot}"`))).toBe(page + 10 + groupedRows / summedRows);
    expect(cost(groups(`token: "${cold}"`))).toBeLessThan(page + 20);
    expect(cost(`{ positionTotals(where: { chainId: 56, token: "${hot}" }) { positions } }`)).toBe(
      page + 1 + groupedRows / summedRows,
    );
  });

  test("conditions by which no rows are found make nothing cheaper", () => {
    const full = groupedRows / summedRows;
    const groups = (where: string) =>
      cost(`{ tradeGroups(where: { chainId: 56, ${where} }, limit: 10) { items { traders } } }`);
    for (const where of [`OR: [{ token: "${cold}" }]`, `AND: [{ trader: "${cold}" }]`]) {
      expect(groups(where), where).toBe(page + 10 + full);
    }
    // An account's trades are read, whatever the token.
    expect(groups(`trader: "${hot}", token: "${cold}"`)).toBe(page + 10 + full);
    const positions = (where: string) =>
      cost(`{ positionTotals(where: { chainId: 56, ${where} }) { positions } }`);
    expect(positions(`OR: [{ token: "${cold}" }]`)).toBe(page + 1 + full);
    // A whole key finds one row.
    expect(groups('id: "56-000000000001-000001"')).toBe(page + 10 + 1 / summedRows);
    expect(positions(`account: "${hot}", token: "${cold}"`)).toBe(page + 1 + 1 / summedRows);
  });

  test("as of a block, each statement looks through the latest changes once, and once for each row that it starts from", () => {
    const { versions, versionsPerRow } = queryCostWeights;
    const pinned = (inner: string) => {
      const of = (at: string) =>
        cost(`{ tokens(where: { chainId: 56 }, limit: 100 ${at}) { items { name } ${inner} } }`);
      return of(", block: { number: 1 }") - of("");
    };
    const holders = (limit: number, selected = "items { account }") =>
      pinned(`items { holders(limit: ${limit}) { ${selected} } }`);
    expect(pinned("")).toBe(versions);
    expect(pinned("totalCount")).toBe(2 * versions);
    expect(pinned("items { curve { progress } }")).toBe(2 * versions + 100 * versionsPerRow);
    // 20 pages for each of five statements, and one page for each of 100.
    expect(holders(50)).toBe(6 * versions + 100 * versionsPerRow);
    expect(holders(600)).toBe(101 * versions + 100 * versionsPerRow);
    // Counted by statements of their own.
    expect(holders(50, "items { account } totalCount")).toBe(11 * versions + 200 * versionsPerRow);
  });

  test("daily totals cost as much as their days, however many trades there are", () => {
    const daily = (rest: string) =>
      cost(`{ tradeGroups(where: { chainId: 56, token: "${hot}" } ${rest}, limit: 10) { items { day ...f } total { trades } } }
        fragment f on tradeGroup { trades volumeUsdX18 }`);
    expect(daily("")).toBe(page + 10 + (3 * 30) / summedRows);
    expect(daily('from: "2026-01-01", to: "2026-01-10"')).toBe(page + 10 + (3 * 10) / summedRows);
    expect(daily('from: "2026-01-01"')).toBe(page + 10 + (3 * groupedDays) / summedRows);
    expect(daily("by: [day, venue]")).toBe(page + 10 + groupedRows / summedRows);
  });

  test("a condition on the time needs the first day, or it would be cut off at the last thirty", () => {
    const condition = 'timestamp_gte: "1767225600"';
    const since = (rest: string, where = condition) =>
      cost(`{ tradeGroups(where: { chainId: 56, ${where} } ${rest}) { items { day } } }`);
    for (const where of [
      condition,
      `AND: [{ ${condition} }]`,
      `OR: { side: buy, AND: [{ ${condition} }] }`,
    ]) {
      expect(() => since("", where), where).toThrow(/needs from/);
    }
    expect(() => since('from: null, to: "2026-03-01"')).toThrow(/needs from/);
    expect(since('from: "2026-01-01", to: "2026-01-31"')).toBeGreaterThan(0);
  });

  test("days of candles are made of their hours", () => {
    expect(
      cost(`{ candlesByDay(chainId: 56, token: "${cold}", from: "2026-01-01", to: "2026-01-10") { day } }`),
    ).toBe(page + 10 + (24 * 10) / summedRows);
  });

  test("a query has room for some such fields, not for many", () => {
    const fields = (count: number) =>
      Array.from(
        { length: count },
        (_, n) => `a${n}: tradeGroups(where: { chainId: 56 }) { items { traders } }`,
      );
    const total = (count: number) => cost(`{ ${fields(count).join(" ")} }`);
    expect(total(7)).toBeLessThan(graphqlLimits.cost);
    expect(total(8)).toBeGreaterThan(graphqlLimits.cost);
  });
});
