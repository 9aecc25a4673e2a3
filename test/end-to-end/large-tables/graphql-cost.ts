import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { createPool, openDatabase } from "../../../src/api/database/database.ts";
import { estimateRowsRead, tableSize } from "../../../src/api/graphql/estimate-rows.ts";
import { readFilter } from "../../../src/api/graphql/filter.ts";
import { graphqlLimits } from "../../../src/api/graphql/limits.ts";
import {
  readTableStatistics,
  type TableStatistics,
} from "../../../src/api/graphql/table-statistics.query.ts";
import { type ApiTable, readApiSchema } from "../../../src/api/graphql/tables.ts";
import { until } from "../../service/condition.ts";
import { explainingGraphql, rowsScanned } from "../../service/explaining-graphql.ts";
import { filledRows } from "../../service/filled-tables.ts";
import type { Service } from "../../service/service.ts";
import type { TablesServed } from "./served.ts";

export function testGraphqlCost(served: () => TablesServed): void {
  let service: Service;

  beforeAll(() => {
    ({ service } = served());
  });

  type Answer = {
    data?: Record<string, unknown>;
    errors?: { message: string; extensions?: { code?: string } }[];
  };

  async function ask(query: string, variables: object = {}): Promise<Answer> {
    const response = await fetch(`${service.indexer.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
    });
    expect(response.status).toBeLessThan(500);
    return (await response.json()) as Answer;
  }

  const codeOf = async (query: string, variables?: object) =>
    (await ask(query, variables)).errors?.[0]?.extensions?.code;

  const aliases = (field: string) =>
    `{ ${Array.from({ length: graphqlLimits.aliases }, (_, index) => `a${index}: ${field} { __typename }`).join(" ")} }`;

  /** Pages that no index serves. Twenty times their rows is just within the limit; the rows scanned for them exceed it. */
  const scans = [
    'candles(limit: 900, orderBy: "openTime")',
    'holders(limit: 900, orderBy: "balanceRaw")',
    "candles(limit: 900, where: { trades: 0 })",
    'listings(limit: 900, orderBy: "createdAt")',
  ];

  /** A token with so many holders and trades as there are rows of each kind. */
  const hot = `0x${"0".repeat(40)}`;

  test.each(scans)("twenty times %s is allowed while the table is small", async (field) => {
    expect((await ask(aliases(field))).errors).toBeUndefined();
  });

  describe("on large tables", () => {
    beforeAll(async () => {
      const { url } = service.database;
      await served().untilLarge();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client
        .query(
          `set session_replication_role = replica;
         update onchain.token set name = repeat('x', 100000) where address = '${hot}'`,
        )
        .finally(() => client.end());
      // The service caches table sizes for a moment.
      await until(
        "the sizes to be read again",
        async () => (await codeOf(aliases(scans[0] ?? ""))) !== undefined,
      );
    });

    test.each(scans)("twenty times %s is refused, and the error says what is indexed", async (field) => {
      const { data, errors } = await ask(aliases(field));
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([
        {
          message: expect.stringMatching(
            /may read about \d+ rows, but only 20000 are allowed: .*\(chainId, /,
          ),
          extensions: { code: "query_too_expensive" },
        },
      ]);
      expect((await ask(`{ ${field} { __typename } }`)).errors).toBeUndefined();
    });

    test("the example of docs/graphql.md is allowed", async () => {
      const example = readFileSync("docs/graphql.md", "utf8").match(/```graphql\n(.*?)```/s)?.[1] ?? "";
      expect(await ask(example)).toMatchObject({ data: { tokens: { items: expect.any(Array) } } });
    });

    test("tokens with all their relations are allowed", async () => {
      const { errors } = await ask(`{
      tokens(orderBy: "createdAt", orderDirection: "desc", limit: 5) {
        items {
          name
          curve { progress lastTrade { side trader } }
          trades(orderBy: "timestamp", orderDirection: "desc", limit: 3) { totalCount items { side venue bnbAmountWei trader } }
          holders(where: { kind: account }, orderBy: "balanceRaw", orderDirection: "desc", limit: 3) { items { account balanceRaw } }
          creatorAccount { createdTokens { totalCount } }
        }
      }
      curves(where: { chainId: 56, graduated: true }, orderBy: "graduatedAt", orderDirection: "desc") { items { token } }
    }`);
      expect(errors).toBeUndefined();
    });

    test("following a list's cursors to the end returns each row once", async () => {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const { data, errors } = await ask(
          `query ($token: String, $after: String) {
          trades(where: { chainId: 56, token: $token }, orderBy: "timestamp", orderDirection: "desc", limit: 999, after: $after) {
            items { id }
            pageInfo { hasNextPage endCursor }
          }
        }`,
          { token: hot, after },
        );
        expect(errors).toBeUndefined();
        const page = data?.trades as {
          items: { id: string }[];
          pageInfo: { hasNextPage: boolean; endCursor: string };
        };
        seen.push(...page.items.map(({ id }) => id));
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      const rows = await service.database.query<{ id: string }>(
        "select '56-' || id as id from onchain.trade where token = $1 order by timestamp desc, id desc",
        [hot],
      );
      expect(seen).toEqual(rows.map(({ id }) => id));
    });

    test("a long name repeated many times makes the answer too large", async () => {
      const query = `{ trades(limit: 1000, where: { chainId: 56, token: "${hot}" }, orderBy: "timestamp") { items { tradedToken { name } } } }`;
      expect(await codeOf(query)).toBe("answer_too_large");
      expect(await codeOf(query.replace("1000", "10"))).toBeUndefined();
    });

    test("a locked table is reported as a timeout, and a count is not retried", async () => {
      const client = new pg.Client({ connectionString: service.database.url });
      await client.connect();
      await client.query("begin; lock table onchain.early_buyer in access exclusive mode");
      expect(await codeOf("{ earlyBuyers(limit: 1) { totalCount } }")).toBe("query_timeout");
      await client.end();
      expect(service.indexer.output()).not.toContain("retry_count");
      expect(await codeOf("{ earlyBuyers(limit: 1) { totalCount } }")).toBeUndefined();
    });

    describe("pages declared as indexed", () => {
      const { tables, query: fields } = readApiSchema(exports);
      // activeToken holds only tokens traded in the last 24 hours, and these trades are from 1970.
      const others = ["activeToken", "dexPair", "launchpad"];
      const large = [...tables.values()].filter(({ name }) => !others.includes(name));
      const limit = 20;
      let client: pg.Client;
      let statistics: TableStatistics;
      let plansOf: (source: string) => Promise<Parameters<typeof rowsScanned>[0][]>;

      beforeAll(async () => {
        const { url } = service.database;
        const pool = createPool({ url, name: "test", connections: 1, statementSeconds: 10 });
        statistics = await readTableStatistics(openDatabase(pool), "onchain");
        await pool.end();
        client = new pg.Client({
          connectionString: url,
          options: "-c search_path=onchain -c jit=off",
        });
        await client.connect();
        plansOf = await explainingGraphql(client);
      });

      afterAll(async () => {
        await client?.end();
      });

      test("sums read the rows of the token or the account, and no others", async () => {
        const { rows } = await client.query<{
          token: string;
          trader: string;
          trades: number;
          positions: number;
        }>(
          `select token, trader, (select count(*)::int from trade t where t.token = x.token) as trades,
             (select count(*)::int from position p where p.token = x.token) as positions
           from trade x where token <> '${hot}' offset 5 limit 1`,
        );
        const { token, trader, trades, positions } = rows[0] ?? {
          token: "",
          trader: "",
          trades: 0,
          positions: 0,
        };
        const days = 'from: "1970-01-01", to: "1970-01-02"';
        const scannedBy = async (source: string) =>
          (await plansOf(source)).reduce((sum, plan) => sum + rowsScanned(plan), 0);
        // The rows that are read are counted, and grouped.
        for (const where of [`token: "${token}"`, `token_in: ["${token}"]`, `token: "${token}", side: buy`]) {
          const source = `{ tradeGroups(where: { chainId: 56, ${where} }, by: [day, trader], ${days}) { items { day } } }`;
          expect(await scannedBy(source), where).toBeLessThanOrEqual(3 * trades);
        }
        expect(
          await scannedBy(`{ positionTotals(where: { chainId: 56, token: "${token}" }) { spentUsdX18 } }`),
        ).toBeLessThanOrEqual(3 * positions);
        const ofTrader = `{ tradeGroups(where: { chainId: 56, token: "${hot}", trader: "${trader}" }, ${days}) { items { day } } }`;
        const { rows: own } = await client.query<{ trades: number }>(
          "select count(*)::int as trades from trade where trader = $1",
          [trader],
        );
        expect(await scannedBy(ofTrader)).toBeLessThanOrEqual(3 * (own[0]?.trades ?? 0));
        // The first and the last trade of a day, and those of the same second.
        const totals = `{ tradeGroups(where: { chainId: 56, token: "${hot}" }, ${days}) { items { day trades } } }`;
        expect(await scannedBy(totals)).toBeLessThan(100);
      });

      test("ids of any chains read their rows alone", async () => {
        const { rows } = await client.query<{ id: string }>(
          `select id from trade where chain_id = 56 offset ${filledRows / 2} limit 3`,
        );
        const ids = rows.flatMap(({ id }) => [`56-${id}`, `97-${id}`]);
        const plans = await plansOf(
          `{ trades(where: { id_in: ${JSON.stringify(ids)} }) { items { side } } }`,
        );
        const scanned = plans.reduce((sum, plan) => sum + rowsScanned(plan), 0);
        expect(scanned, JSON.stringify(plans)).toBeLessThanOrEqual(2 * rows.length);
      });

      type Page = { where: string; orderBy: string | undefined; direction: string; cursor: boolean };

      /** For each prefix of each index: pages filtered by the prefix, ordered by the next column or by the key. */
      function pagesOf(table: ApiTable, row: Record<string, unknown>): Page[] {
        return table.indexes.flatMap((index) =>
          index.flatMap((orderBy, length) => {
            const conditions = index
              .slice(0, length)
              .map((column) => `${column}: ${literal(row[column], table.columns.get(column)?.kind)}`);
            const where = `{ ${conditions.join(", ")} }`;
            return [orderBy, undefined].flatMap((order) => [
              { where, orderBy: order, direction: "asc", cursor: false },
              { where, orderBy: order, direction: "desc", cursor: false },
              // Views have no cursors.
              ...(table.ordered && table.key.length > 0
                ? [{ where, orderBy: order, direction: "desc", cursor: true }]
                : []),
            ]);
          }),
        );
      }

      const literal = (value: unknown, kind?: string) =>
        value === null || ["enum", "boolean", "int", "float"].includes(kind ?? "")
          ? String(value)
          : JSON.stringify(String(value));

      test.each(large)("$name: no more rows are read than estimated", async (table) => {
        const plural = [...fields].find(
          ([, { kind, table: name }]) => kind === "page" && name === table.name,
        )?.[0];
        const size = tableSize(table, statistics);
        const used = new Set(table.indexes.flat());
        const columns = [...used].map((name) => `"${table.columns.get(name)?.sqlName}" as "${name}"`);
        const { rows } = await client.query(
          `select ${columns} from "${table.sqlTables[0]}" offset ${filledRows / 2} limit 1`,
        );
        const row = rows[0] as Record<string, unknown>;
        let indexed = 0;
        for (const { where, orderBy, direction, cursor } of pagesOf(table, row)) {
          const filter = readFilter(jsonOf(where), table);
          const read = estimateRowsRead({ table, filter, orderBy, limit, hasCursor: cursor }, statistics);
          if (read > size / 20) continue;
          indexed++;
          const order = [...new Set([...(orderBy === undefined ? [] : [orderBy]), ...table.key])];
          const bigints = order.filter((name) =>
            ["int8", "numeric"].includes(table.columns.get(name)?.kind ?? ""),
          );
          const cursorOfRow = encodeCursor(
            Object.fromEntries(order.map((name) => [name, row[name]])),
            Object.fromEntries(bigints.flatMap((name) => (row[name] === null ? [] : [[name, ["bigint"]]]))),
          );
          const after = cursor ? `, after: "${cursorOfRow}"` : "";
          const by = orderBy === undefined ? "" : `, orderBy: "${orderBy}"`;
          const source = `{ ${plural}(limit: ${limit}, where: ${where}${by}, orderDirection: "${direction}"${after}) { __typename } }`;
          const plans = await plansOf(source);
          const scanned = plans.reduce((sum, plan) => sum + rowsScanned(plan), 0);
          const most = table.sqlTables.length * (limit + 2) + 2 * read;
          expect(scanned, `${source}: ${JSON.stringify(plans)}`).toBeLessThanOrEqual(most);
        }
        expect(indexed).toBeGreaterThan(3);
      });
    });
  });

  /** Encodes a cursor as Ponder does. */
  function encodeCursor(json: unknown, values?: object): string {
    return Buffer.from(JSON.stringify({ json, meta: { values, v: 1 } })).toString("base64");
  }

  /** Converts a filter from GraphQL syntax to JSON. */
  function jsonOf(where: string): unknown {
    return JSON.parse(
      where.replaceAll(/(\w+): (\w+|".*?")/g, (_, name, value) => {
        return `"${name}": ${/^["\d-]|^(true|false|null)$/.test(value) ? value : JSON.stringify(value)}`;
      }),
    );
  }

  describe("unusual arguments", () => {
    test.each([
      ["not base64", "%%%"],
      ["base64 but not JSON", Buffer.from("hello").toString("base64")],
      ["JSON without columns", encodeCursor(null)],
      ["for another order", encodeCursor({ chainId: 56, id: "1" })],
      ["made of values of other types", encodeCursor({ chainId: "x", id: 1, timestamp: "2" })],
      [
        "made of an invalid number",
        encodeCursor({ chainId: 56, id: "1", timestamp: "x" }, { timestamp: ["bigint"] }),
      ],
      [
        "made of types that no column has",
        encodeCursor({ chainId: 56, id: "1", timestamp: "1" }, { timestamp: [["class", "x"]] }),
      ],
      ["empty", ""],
    ])("a cursor that is %s", async (_, after) => {
      const { errors } = await ask(
        'query ($after: String) { trades(orderBy: "timestamp", after: $after) { items { id } } }',
        { after },
      );
      expect(errors).toEqual([
        {
          message: expect.stringMatching(/must be a cursor of the same list/),
          extensions: { code: "invalid_cursor" },
        },
      ]);
    });

    test.each([
      [
        "a limit that is too large",
        "tokens(limit: 1001)",
        /limit of tokens must be a whole number from 0 to 1000/,
      ],
      ["a limit below 0", "tokens(limit: -1)", /limit of tokens/],
      ["an offset below 0", "tokens(offset: -1)", /offset of tokens/],
      ["an unknown order", 'tokens(orderBy: "nothing")', /orderBy of tokens must be one of its columns/],
      ["no order", "tokens(orderBy: null)", /orderBy of tokens/],
      ["both cursors", 'tokens(after: "a", before: "b")', /either after or before/],
      ["a cursor with an offset", 'tokens(after: "a", offset: 1)', /either a cursor or an offset/],
      ["a null for a filter", "tokens(where: null)", /null/],
      ["a null in AND", "tokens(where: { AND: [null] })", /null/],
      ["a null for OR", "tokens(where: { OR: null })", /must be a list/],
      ["a null for a list", "tokens(where: { name_in: null })", /must be a list/],
      ["a NUL character", 'tokens(where: { name: "a\\u0000b" })', /NUL character/],
      ["a NUL character in a list", 'tokens(where: { OR: [{ name_in: ["\\u0000"] }] })', /NUL character/],
      ["an integer beyond 64 bits", `tokens(where: { createdAt_gt: "${"9".repeat(30)}" })`, /between -2\^63/],
      ["an integer beyond 256 bits", `tokens(where: { totalSupplyRaw: "${"9".repeat(79)}" })`, /78 digits/],
      ["a backslash at the end of a pattern", 'tokens(where: { name_ends_with: "a\\\\" })', /backslash/],
      ["groups without a chain", "tradeGroups(where: { side: buy })", /must have a chainId/],
      ["groups by nothing", "tradeGroups(where: { chainId: 56 }, by: [])", /at least one key/],
      ["groups by a key twice", "tradeGroups(where: { chainId: 56 }, by: [day, day])", /each only once/],
      [
        "a day that doesn't exist",
        'tradeGroups(where: { chainId: 56 }, to: "2026-02-30")',
        /must be a day such as/,
      ],
      [
        "too many days",
        `candlesByDay(chainId: 56, token: "${hot}", from: "2025-01-01", to: "2026-12-31")`,
        /at most 400 days/,
      ],
      ["sums of positions without a chain", "positionTotals(where: {})", /must have a chainId/],
      ["candles that are not stored", 'candles(where: { interval: "5m" })', /must be one of 1m, 1h/],
      [
        "a filter on a time that can't be filtered",
        'listings(where: { registeredAt: "2026" })',
        /can't be used as a filter/,
      ],
    ])("%s", async (_, field, message) => {
      const { data, errors } = await ask(`{ ${field} { items { name } totalCount } }`);
      expect(data).toBeUndefined();
      expect(errors).toEqual([
        { message: expect.stringMatching(message), extensions: { code: "invalid_argument" } },
      ]);
    });

    test("a NUL character in a key gets a clear error", async () => {
      expect(await codeOf('{ token(chainId: 56, address: "0x\\u0000") { name } }')).toBe("invalid_argument");
    });

    test("unusual but valid arguments are answered", async () => {
      const { errors } = await ask(
        `query ($where: tokenFilter, $list: [String], $lone: String) {
        a: tokens(where: $where, limit: null, orderDirection: null) { totalCount }
        b: tokens(where: { AND: { chainId: 56 }, name_in: $list }, offset: null) { totalCount }
        c: tokens(where: { name_not: $lone, name_contains: "%\\\\" }) { totalCount }
        d: tokens(where: { totalSupplyRaw_lt: "${"9".repeat(78)}" }) { totalCount }
      }`,
        { list: [], lone: "\ud800" },
      );
      expect(errors).toBeUndefined();
    });

    test("a circular walk through the introspection schema is refused", async () => {
      const circles = (depth: number): string =>
        depth === 0 ? "name" : `fields { type { ${circles(depth - 1)} } }`;
      expect(await codeOf(`{ __schema { types { ${circles(8)} } } }`)).toBe("query_too_large");
    });

    test("thousands of nested brackets are a syntax error", async () => {
      expect(await codeOf(`{ tokens(where: ${"[".repeat(30_000)}) { items { name } } }`)).toBe(
        "syntax_error",
      );
    });
  });
}
