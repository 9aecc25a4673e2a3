import { globSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { projectDir } from "../../../runtime/ponder/ponder.ts";
import { candleIntervals } from "../../../runtime/ponder/views/candles.ts";
import { createPool, type Database } from "../../../src/api/database/database.ts";
import {
  countStatement,
  pageStatement,
  rowStatement,
} from "../../../src/api/graphql/read/statements.query.ts";
import { type ApiTable, readApiSchema } from "../../../src/api/graphql/tables.ts";
import { maxBalances } from "../../../src/api/holders/holders.routes.ts";
import { readChecks } from "../../../verify/checks.ts";
import { drawBalances, drawTokens, selectTraders } from "../../../verify/select.ts";
import { until, untilServed } from "../../service/condition.ts";
import { filledRows } from "../../service/filled-tables.ts";
import { queryCalls } from "../../service/query-calls.ts";
import { explainingDatabase, nodesOf, type PlanNode } from "../../service/query-plan.ts";
import type { Service } from "../../service/service.ts";
import { updateViewsOnce } from "../../service/views.ts";
import type { TablesServed } from "./served.ts";

/*
 * The API's queries on tables that grow with the chain must be answered from an index, in its order. Postgres scans small
 * tables whatever the indexes, so scans and sorts are disabled: wherever one remains, no index fits.
 */
export function testQueryPlans(served: () => TablesServed): void {
  let service: Service;
  let client: pg.Client;

  beforeAll(async () => {
    ({ service } = served());
    client = new pg.Client({ connectionString: service.database.url, options: "-c search_path=onchain" });
    await client.connect();
    await client.query("set enable_seqscan = off; set enable_sort = off");
    // Postgres ignores a new index over changed rows until all older transactions, including other tests', have ended.
    await until("every index to be taken into account", async () => {
      const { rows } = await client.query(
        `select from pg_index
       where indcheckxmin and xmin::text::int8 >= pg_snapshot_xmin(pg_current_snapshot())::text::int8`,
      );
      return rows.length === 0;
    });
  });

  afterAll(async () => {
    await client?.end();
  });

  const address = `'0x${"0".repeat(40)}'`;

  // Ponder orders by the requested column, then by the key, all in the requested direction.
  test.each([
    ["tokens, newest first, of all chains", "token order by created_at desc, chain_id desc, address desc"],
    [
      "tokens, newest first, of one chain",
      "token where chain_id = 56 order by created_at desc, chain_id desc, address desc",
    ],
    [
      "tokens in the order of creation",
      "token where chain_id = 56 order by created_block desc, created_log_index desc",
    ],
    [
      "tokens of a creator",
      `token where chain_id = 56 and creator = ${address} order by created_at desc, chain_id desc, address desc`,
    ],
    [
      "tokens by burned share, then newest",
      "token where chain_id = 56 order by burn_percent desc, created_block desc, created_log_index desc",
    ],
    [
      "curves close to graduation",
      "curve where chain_id = 56 and graduated = false order by progress desc, chain_id desc, token desc",
    ],
    [
      "latest graduated curves",
      "curve where chain_id = 56 and graduated = true order by graduated_at desc, chain_id desc, token desc",
    ],
    [
      "latest traded curves",
      "curve where chain_id = 56 order by last_trade_at desc, chain_id desc, token desc",
    ],
    [
      "latest traded curves, from a cursor among the untraded ones",
      `curve where chain_id = 56 and last_trade_at is null and token <= ${address}
     order by last_trade_at desc, chain_id desc, token desc`,
    ],
    [
      "latest traded curves, after the untraded ones",
      "curve where chain_id = 56 and last_trade_at is not null order by last_trade_at desc, chain_id desc, token desc",
    ],
    ["trades, newest first, of all chains", "trade order by timestamp desc, chain_id desc, id desc"],
    [
      "trades of a token",
      `trade where chain_id = 56 and token = ${address} order by timestamp desc, chain_id desc, id desc`,
    ],
    [
      "trades of a trader",
      `trade where chain_id = 56 and trader = ${address} order by timestamp desc, chain_id desc, id desc`,
    ],
    [
      "liquidity changes, newest first, of all chains",
      "liquidity_change order by timestamp desc, chain_id desc, id desc",
    ],
    [
      "liquidity changes of a token",
      `liquidity_change where chain_id = 56 and token = ${address} order by timestamp desc, chain_id desc, id desc`,
    ],
    [
      "liquidity changes of a provider",
      `liquidity_change where chain_id = 56 and provider = ${address} order by timestamp desc, chain_id desc, id desc`,
    ],
    ["transfers, newest first, of all chains", "transfer order by timestamp desc, chain_id desc, id desc"],
    ...["token", '"from"', '"to"'].map((column) => [
      `transfers by ${column}`,
      `transfer where chain_id = 56 and ${column} = ${address} order by timestamp desc, chain_id desc, id desc`,
    ]),
    [
      "holders of a token",
      `holder where chain_id = 56 and token = ${address} order by balance_raw desc, chain_id desc, token desc, account desc`,
    ],
    [
      "holdings of an account",
      `holder where chain_id = 56 and account = ${address} order by balance_raw desc, chain_id desc, token desc`,
    ],
    [
      "candles of a token",
      `candle where chain_id = 56 and token = ${address} and interval = '1h'
     order by open_time desc, chain_id desc, token desc, interval desc`,
    ],
    [
      "positions of an account",
      `position where chain_id = 56 and account = ${address} order by last_trade_at desc, chain_id desc, token desc`,
    ],
    ...["realised_wei", "volume_wei", "trades", "tokens_created", "tokens_graduated"].map((column) => [
      `accounts by ${column}`,
      `account where chain_id = 56 order by ${column} desc, chain_id desc, address desc`,
    ]),
    ...["volume_24h_wei", "trades_24h", "traders_24h", "last_trade_at"].map((column) => [
      `active tokens by ${column}`,
      `active_token where chain_id = 56 order by ${column} desc`,
    ]),
    ["traders of a token", `position where chain_id = 56 and token = ${address} order by last_trade_at desc`],
    [
      "answers of the price feed",
      "bnb_usd_answer where chain_id = 56 order by timestamp desc, chain_id desc, id desc",
    ],
    ["pairs of a token", `dex_pair where chain_id = 56 and token = ${address}`],
    ["a listing by its address", `listing where chain_id = 56 and address = ${address}`],
  ])("%s are read from an index", async (_, query) => {
    const { rows } = await client.query(`explain select * from ${query} limit 20`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index (Only )?Scan/);
    expect(plan).not.toMatch(/Seq Scan|(?<!Incremental )Sort {2}\(/);
    // The only column that the index doesn't order by is the tie-breaker for rows of the same second.
    const keys = (kind: string) => plan.match(`${kind} Key: (.*)`)?.[1]?.split(", ") ?? [];
    if (plan.includes("Incremental Sort")) expect(keys("Sort").length - keys("Presorted").length).toBe(1);
  });

  describe("REST", () => {
    type QueryFunction = (db: Database, ...rest: unknown[]) => Promise<unknown>;
    let queries: Record<string, QueryFunction>;
    let pool: pg.Pool;

    beforeAll(async () => {
      // Ponder passes its tables' schema to the schema file this way.
      Object.assign(globalThis, { PONDER_NAMESPACE_BUILD: { schema: "onchain" } });
      const modules = await Promise.all(
        globSync("src/api/**/*.query.ts", { cwd: projectDir }).map(
          (file) => import(path.join(projectDir, file)),
        ),
      );
      queries = Object.fromEntries(
        modules.flatMap((module) =>
          Object.entries(module).filter(
            (entry): entry is [string, QueryFunction] => typeof entry[1] === "function",
          ),
        ),
      );
      await served().untilLarge();
      pool = createPool({ url: service.database.url, name: "plans", connections: 2, statementSeconds: 10 });
    });
    afterAll(() => pool?.end());

    // Each process reads the whole list once, at its start.
    const readsAll = ["readAllListedTokens"];

    const withoutQuery = [
      "changedTokens",
      "countPerWindow",
      "createdId",
      "exitValue",
      "deleteDroppedSchemas",
      "inActivityTransaction",
      "inJournalTransaction",
      "highestId",
      "isVolatileOn",
      "lastTradeUpTo",
      "mergedCandle",
      "nameNumbers",
      "priceAfter",
      "priceChangeIn",
      "rankedPage",
      "reorgTable",
      "statisticsOf",
      "tradeColumns",
      "tradeGroupsStatement",
      "tradersSince",
      "unpackTokens",
      "valueAndExit",
      "valueAtPrice",
      "isHidden",
      "isRowHidden",
      // GraphQL's queries are checked below and in graphql-cost.ts.
      "conditionsOf",
      "countStatement",
      "dayCandlesStatement",
      "orderOf",
      "pageStatement",
      "pinStatement",
      "positionTotalsStatement",
      "rowStatement",
      "runningGroupsStatement",
      "readIndexStatus",
      "sourcesOf",
    ];

    test("every query function is covered", () => {
      const advice =
        "test/service/query-calls.ts calls every function of a *.query.ts file: add one that is new, or take out one that is gone. One that asks the database nothing goes into withoutQuery here";
      expect(Object.keys(queries).sort(), advice).toEqual(
        [...Object.keys(queryCalls), ...readsAll, ...withoutQuery].sort(),
      );
    });

    const growingTables = new Set(
      "token token_symbol curve trade liquidity_change transfer holder past_balance dex_pair account registration hidden_token hidden_registration registration_history candle position early_buyer bnb_usd_answer stream_event token_activity".split(
        " ",
      ),
    );
    /** Whether a plan node reads a growing table, or an index, from end to end. */
    const isFullScan = (node: PlanNode) =>
      growingTables.has(node["Relation Name"] ?? "") || node["Node Type"] === "Bitmap Index Scan"
        ? !nonReadingNodes.has(node["Node Type"]) && node["Index Cond"] === undefined
        : false;
    /** A bitmap heap scan reads its index in a separate node, and a modified table is written, not read. */
    const nonReadingNodes = new Set(["Bitmap Heap Scan", "ModifyTable"]);

    test.each(
      Object.entries(queryCalls).flatMap(([name, variants]) => variants.map((given) => ({ name, given }))),
    )("$name($given) reads no growing table as a whole", async ({ name, given }) => {
      const { db, plans } = explainingDatabase(pool);
      await queries[name]?.(db, ...given);
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(nodesOf(plan).filter(isFullScan)).toEqual([]);
    });

    test.each(["readHolders", "readTrades", "readLiquidity", "readLeaders"])(
      "%s reads from an index in its order, however many rows there are",
      async (name) => {
        const { db, plans } = explainingDatabase(pool);
        for (const given of queryCalls[name] ?? []) await queries[name]?.(db, ...given);
        for (const plan of plans) {
          expect(nodesOf(plan).map((node) => node["Node Type"])).not.toContain("Sort");
        }
      },
    );

    test("a token's traders are read by an index that leaves out who only received it", async () => {
      const { db, plans } = explainingDatabase(pool);
      for (const given of queryCalls.readTraders ?? []) await queries.readTraders?.(db, ...given);
      const reads = plans.flatMap(nodesOf).filter((node) => node["Relation Name"] === "position");
      expect(reads.length).toBeGreaterThan(0);
      for (const { "Index Cond": condition } of reads)
        expect(condition).toContain("last_trade_at IS NOT NULL");
    });

    const relations = [...readApiSchema(exports).tables.values()].flatMap(({ name, relations }) =>
      [...relations].map(([field, relation]) => ({ of: `${name}.${field}`, ...relation })),
    );
    test.each(relations)(
      "GraphQL's $of is served by an index, for one row and for many",
      async (relation) => {
        const table = readApiSchema(exports).tables.get(relation.table) as ApiTable;
        const { db, plans } = explainingDatabase(pool);
        for (const rows of [1, 50]) {
          for (const pin of [undefined, { chainId: 56, block: 10_000 }]) {
            const key = relation.columns.map((column) =>
              column === "chainId" ? 56 : sampleOf(table, column),
            );
            const parents = { columns: relation.columns, keys: Array.from({ length: rows }, () => key) };
            const query = { table, args: { limit: 3 }, cursor: undefined, columns: table.key, parents, pin };
            const statements =
              relation.kind === "row"
                ? [rowStatement(table, table.key, parents, pin)]
                : [pageStatement(query), countStatement(query)];
            for (const statement of statements) await db.$client.query(statement);
          }
        }
        expect(plans.length).toBeGreaterThan(1);
        for (const plan of plans) expect(nodesOf(plan).filter(isFullScan)).toEqual([]);
      },
    );
    const sampleOf = (table: ApiTable, column: string) =>
      ["text", "hex", "enum"].includes(table.columns.get(column)?.kind ?? "") ? `0x${"0".repeat(40)}` : "1";

    const token = `'0x${"0".repeat(40)}'`;
    const of = `chain_id = 56 and mint = ${token}`;
    test.each([
      `trades where ${of} order by timestamp desc, id desc limit 10`,
      `trades where chain_id = 56 and trader = ${token} and timestamp > 100`,
      "trades where timestamp >= launchpad.seconds('1970-01-01 05:00Z')",
      "trades where time between '1970-01-01 05:00Z' and '1970-01-01 05:10Z'",
      `trades where chain_id = 56 and time > now() - interval '1 day'`,
      "trades where chain_id = 56 and block > 19990",
      `trades where tx = '0x${"0".repeat(64)}'`,
      `trades where ${of} and timestamp between 100 and launchpad.seconds('1970-01-01 00:05Z')`,
      `candles where ${of} and interval = '1m' and open_timestamp > 600`,
      ...candleIntervals.map(
        ({ interval }) =>
          `candles where interval = '${interval}' and open_time between '1970-01-01 05:00Z' and '1970-01-01 05:10Z'`,
      ),
      `candles where ${of} and interval = '1d'`,
      `holders where ${of}`,
      `positions where ${of} and last_trade_timestamp > 100`,
      `accounts where chain_id = 56 and account = ${token}`,
      `tokens join launchpad.curves using (chain_id, mint) where ${of}`,
      `tokens where chain_id = 56 and creator = ${token} and created_timestamp > 100`,
      "tokens where created_timestamp > 19990",
      `liquidity where ${of} and timestamp > 100`,
      "liquidity where timestamp > 100",
      "liquidity where time > '1970-01-01 05:00Z'",
      `transfers where ${of}`,
      "transfers where time > '1970-01-01 05:00Z'",
      `balance_change where ${of}`,
      `balance_change where chain_id = 56 and account = ${address}`,
      `registrations where ${of}`,
      "graduations where chain_id = 56 and timestamp > 100",
      "daily_totals where chain_id = 56",
      `active_tokens where chain_id = 56 order by volume_24h_bnb desc limit 10`,
    ])("views for analysts: an index serves %s", async (view) => {
      await updateViewsOnce(service.database.url);
      const { rows } = await client.query(`explain (format json) select * from launchpad.${view}`);
      expect(nodesOf(rows[0]["QUERY PLAN"][0].Plan).filter(isFullScan)).toEqual([]);
    });

    test("the index checks itself by look-ups of primary keys", async () => {
      const { client, plans } = explainingDatabase(pool);
      const [from, mint] = [{ client, schema: "onchain", chainId: 56 }, `0x${"0".repeat(40)}` as const];
      await drawTokens(from, 3);
      await drawBalances(from, [mint, mint]);
      await selectTraders(from, 19_990, 24);
      const drawing = plans.flatMap(nodesOf);
      expect(drawing.flatMap((node) => node["Index Name"] ?? [])).toEqual([
        ...["token_chain_id_address_pk", "token_chain_id_address_pk"],
        ...["holder_chain_id_token_account_pk", "holder_chain_id_token_account_pk"],
        "trade_chain_id_id_pk",
      ]);
      expect(drawing.map((node) => node["Node Type"])).not.toContain("Sort");
      const checkpoint = "0".repeat(75);
      const final = { chainId: 56, checkpoint, block: 19_990, timestamp: 19_990 };
      const chain = { id: 56, tokenFactory: mint, launchpad: mint };
      const selection = { balances: [{ token: mint, account: mint }], tokens: [mint] };
      await readChecks({ client, final }, { schema: "onchain", chain, maxSummed: 5_000 }, selection);
      expect(plans.length).toBeGreaterThan(7);
      for (const plan of plans) expect(nodesOf(plan).filter(isFullScan)).toEqual([]);
    });

    test("an account's holding of one token is looked up by key, however many tokens it has", async () => {
      const { db, plans } = explainingDatabase(pool);
      for (const name of ["readHoldings", "readPositions", "readCreatedTokens"]) {
        for (const [of] of (queryCalls[name] ?? []) as [{ mint?: string }][]) {
          if (of.mint !== undefined) await queries[name]?.(db, of);
        }
      }
      expect(plans.length).toBeGreaterThan(10);
      const used = plans.flatMap(nodesOf).map((node) => node["Index Name"]);
      for (const index of ["holder_account_index", "position_account_index", "token_creator_index"]) {
        expect(used).not.toContain(index);
      }
    });

    test("of a token with many holders, only the last days are read", async () => {
      const url = `${service.indexer.url}/api/token/0x${"0".repeat(40)}/holders/history?days=365`;
      const answer = await untilServed("the days", () => fetch(url));
      const { days } = (await answer.json()) as { days: { holders: number }[] };
      expect(days).toHaveLength(maxBalances / filledRows);
      expect(new Set(days.map(({ holders }) => holders))).toEqual(new Set([filledRows - 1]));
    });

    test("the last trade of a chain with few is not searched for among all trades of another one", async () => {
      const { db, plans } = explainingDatabase(pool);
      for (const name of ["readStats", "readDays"]) {
        for (const given of queryCalls[name] ?? []) await queries[name]?.(db, ...given);
      }
      await updateViewsOnce(service.database.url);
      await db.$client.query("select * from launchpad.daily_totals");
      const byTime = plans.flatMap(nodesOf).filter((node) => node["Index Name"] === "trade_newest_index");
      expect(byTime.length).toBeGreaterThan(4);
      for (const { "Index Cond": condition } of byTime) expect(condition).toMatch(/"timestamp" >=? /);
    });

    test("a token's trades are not searched for among the trades of all tokens", async () => {
      const { db, plans } = explainingDatabase(pool);
      for (const name of ["readTradedTokens", "readTickers", "readHistoricalTrades"]) {
        for (const given of queryCalls[name] ?? []) await queries[name]?.(db, ...given);
      }
      const used = plans.flatMap(nodesOf).map((node) => node["Index Name"]);
      expect(used).toContain("trade_token_index");
      expect(used).not.toContain("trade_newest_index");
      for (const plan of plans.slice(-2)) {
        expect(nodesOf(plan).map((node) => node["Node Type"])).not.toContain("Sort");
      }
    });
  });
}
