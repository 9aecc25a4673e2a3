import { readdirSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectDir } from "../../runtime/ponder.ts";
import { createPool, type Database } from "../../src/api/lib/database.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../support/launchpad-chain.ts";
import { explainingDatabase, nodesOf, type PlanNode } from "../support/query-plan.ts";
import { type Service, startService } from "../support/service.ts";

/*
 * What the API asks of tables that grow with the chain must be answered from an index, in its order. Small tables
 * are scanned whatever the indexes, so scans and sorts are switched off: where one remains, no index serves.
 */

let chain: LaunchpadChain;
let service: Service;
let client: pg.Client;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  await chain.trade(7, { blocks: 30, actionsPerBlock: 10, creations: 0.02 });
  service = await startService([chain]);
  await service.indexer.untilReady();
  client = new pg.Client({ connectionString: service.database.url, options: "-c search_path=onchain" });
  await client.connect();
  await client.query("set enable_seqscan = off; set enable_sort = off; set enable_incremental_sort = off");
});

afterAll(async () => {
  await client?.end();
  await service?.stop();
  await chain?.stop();
});

const address = `'0x${"0".repeat(40)}'`;

// Ponder orders by the column asked for, then by the key, all in the direction asked for.
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
    "curves that graduated last",
    "curve where chain_id = 56 and graduated = true order by graduated_at desc, chain_id desc, token desc",
  ],
  ["curves traded last", "curve where chain_id = 56 order by last_trade_at desc, chain_id desc, token desc"],
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
    "holders of a token",
    `holder where chain_id = 56 and token = ${address} order by balance desc, chain_id desc, token desc, account desc`,
  ],
  [
    "holdings of an account",
    `holder where chain_id = 56 and account = ${address} order by balance desc, chain_id desc, token desc`,
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
  ["traders of a token", `position where chain_id = 56 and token = ${address} order by last_trade_at desc`],
  ["pairs of a token", `dex_pair where chain_id = 56 and token = ${address}`],
  ["a listing by its address", `listing where chain_id = 56 and address = ${address}`],
])("%s: from an index", async (_, query) => {
  const { rows } = await client.query(`explain select * from ${query} limit 20`);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index (Only )?Scan/);
  expect(plan).not.toMatch(/Seq Scan|Sort/);
});

/** Rows enough for the planner to think twice: 20,000 of each kind, all registered, and a token with 20,000 holders. */
async function fill(url: string): Promise<void> {
  const filler = new pg.Client({ connectionString: url });
  await filler.connect();
  const mint = "'0x' || lpad(to_hex(n), 40, '0')";
  const rows = "generate_series(0, 19999) n";
  const filled = filler.query(`
    -- Ponder's triggers would record each row for a reorg.
    set session_replication_role = replica;
    insert into onchain.token (chain_id, address, creator, name, symbol, burn_percent, salt, total_supply, launchpad,
        holder_count, created_at, created_block, created_log_index, created_tx, changed_at)
      select 56, ${mint}, '0x' || lpad(to_hex(n % 1000), 40, 'c'), 'Token ' || n, 'T' || n, 30 + n % 41, '0x', 1, '0x',
        1, n, n, 0, '0x', n from ${rows};
    insert into onchain.curve (chain_id, token, burn_percent, virtual_bnb_reserves, virtual_token_reserves,
        real_token_reserves, tokens_sold, total_to_sell, progress, graduated, graduated_at, price_x36, last_trade_at,
        opening_price_x36, graduation_bnb_reserves, close_price_x36, buys_to_date, sells_to_date, volume_bnb_to_date,
        volume_usd_to_date, changed_at)
      select 56, ${mint}, 50, 1, 1, 1, 1, 1, n % 100, n % 10 = 0, case when n % 10 = 0 then n end, 1, n,
        1, 1, 1, 1, 1, 1, 1, n from ${rows};
    -- Of one token by many traders, and by one trader of many tokens.
    insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount, token_amount, price_x36, block,
        timestamp, tx, tx_index, log_index, bnb_reserves, token_reserves, buys_to_date, sells_to_date,
        volume_bnb_to_date, volume_usd_to_date, launchpad_buys_to_date, launchpad_sells_to_date,
        launchpad_volume_bnb_to_date, launchpad_volume_usd_to_date)
      select 56, lpad(n::text, 12, '0') || '-90000' || log, case log when 0 then '0x' || repeat('0', 40) else ${mint} end,
        case log when 0 then ${mint} else 'someone' end, 'curve', 'buy', 1, 1, 1, n, n, '0x', 0, log, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1 from ${rows}, generate_series(0, 1) log;
    insert into onchain.candle (chain_id, token, interval, open_time, open_x36, high_x36, low_x36, close_x36, volume_bnb,
        volume_tokens, trades)
      select 56, '0x' || repeat('0', 40), '1m', 60 * n, 1, 1, 1, 1, 1, 1, 1 from ${rows}
      union all select 56, ${mint}, '1m', 0, 1, 1, 1, 1, 1, 1, 1 from generate_series(1, 19999) n;
    insert into onchain.position (chain_id, token, account, buys, sells, tokens_bought, tokens_sold, bnb_spent,
        bnb_received, open_tokens, open_cost, realised_bnb, first_trade_at, last_trade_at)
      select 56, '0x' || repeat('0', 40), ${mint}, 1, 1, 1, 1, 1, 1, 1, 1, 1, n, n from ${rows}
      union all select 56, ${mint}, 'someone', 1, 1, 1, 1, 1, 1, 1, 1, 1, n, n from generate_series(1, 19999) n;
    insert into onchain.account (chain_id, address, first_seen_at, tokens_created, tokens_graduated, tokens_sold_out)
      select 56, ${mint}, n, 1, 1, 1 from ${rows};
    insert into onchain.bnb_usd_answer (chain_id, id, feed, round_id, answer_x8, timestamp)
      select 56, lpad(n::text, 12, '0') || '-000000', '0x', n, 1, n from ${rows};
    insert into onchain.early_buyer (chain_id, token, account, block)
      select 56, ${mint}, 'someone', n from ${rows}
      union all select 56, '0x' || repeat('0', 40), ${mint}, n from generate_series(0, 99) n;
    insert into onchain.holder (chain_id, token, account, balance, kind)
      select 56, '0x' || repeat('0', 40), ${mint}, n, 'account'::onchain.holder_kind from ${rows}
      union all select 56, ${mint}, 'someone', 1, 'account'::onchain.holder_kind from generate_series(1, 19999) n;
    insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, version, search)
      select chain_id, address, name, symbol, creator, burn_percent, created_block,
        U&'\\0001' || lower(name) || U&'\\0001' || lower(symbol) || U&'\\0002' from onchain.token;
    insert into offchain.stream_event (schema, chain_id, position, kind, mint, creator, fingerprint, data, current)
      select 'onchain', 56, lpad(n::text, 12, '0') || '-000000', 'trade', ${mint}, ${mint}, '', '{}', n > 19900 from ${rows};
    analyze`);
  await filled.finally(() => filler.end());
}

describe("REST", () => {
  const folder = path.join(projectDir, "src/api/queries");
  type QueryFunction = (db: Database, ...rest: unknown[]) => Promise<unknown>;
  let queries: Record<string, QueryFunction>;
  let pool: pg.Pool;

  beforeAll(async () => {
    // Where Ponder puts its tables: it tells the schema file this way.
    Object.assign(globalThis, { PONDER_NAMESPACE_BUILD: { schema: "onchain" } });
    const modules = await Promise.all(
      readdirSync(folder)
        .filter((name) => /^[^.]+\.ts$/.test(name))
        .map((name) => import(path.join(folder, name))),
    );
    queries = Object.fromEntries(
      modules.flatMap((module) =>
        Object.entries(module).filter(
          (entry): entry is [string, QueryFunction] => typeof entry[1] === "function",
        ),
      ),
    );
    await fill(service.database.url);
    pool = createPool({ url: service.database.url, name: "plans", connections: 2, statementSeconds: 10 });
  });
  afterAll(() => pool?.end());

  const chainId = 56;
  /** One that 20,000 accounts hold. */
  const mint = `0x${"0".repeat(40)}`;
  const at = { block: 19_990, timestamp: 19_990 };
  const chains = [
    { chainId: 56, block: 20_000, timestamp: 20_000, safe: at },
    { chainId: 97, block: 20_000, timestamp: 20_000, safe: at },
  ];

  /** One that holds and has traded 20,000 tokens. */
  const someone = { chainId, account: "someone" };
  const pages = (after: object) =>
    [undefined, after].flatMap((place) => [2, 101].map((limit) => ({ after: place, limit })));

  const final = { ...at, now: 20_000 };
  const trades = { chainId, mint, from: 0, to: at.timestamp, before: "000000019991-000000", limit: 1_000 };

  const range = { chainId, since: "000000019990", sinceBlock: 19_990, sinceSeconds: 19_990, limit: 1_000 };
  const streamParts = [
    { chainId: undefined, mints: [], creators: [], kinds: [] },
    { chainId, mints: [mint], creators: [mint], kinds: ["trade", "registered"] },
  ].map((filter) => [
    {
      after: { event: 19_000, version: 19_000, registration: 5 },
      upTo: { event: 20_000, version: 20_000, registration: undefined },
      filter,
      limit: 500,
    },
  ]);

  /** Few have traded in the day before. */
  const dayLater = chains.map((chain) => ({ ...chain, timestamp: 86_400 + 19_900 }));

  /** Arguments for every function that asks the database. One that is not here makes the test below fail. */
  const calls: Record<string, unknown[][]> = {
    readCurve: [[chainId, mint]],
    readCurveProgress: [
      [chainId, [mint]],
      [chainId, Array(100).fill(mint)],
    ],
    readQuoteState: [[{ chainId, mint, account: undefined }], [{ chainId, mint, account: mint }]],
    readEntries: [[[1]], [Array.from({ length: 100 }, (_, index) => index)]],
    readEntry: [[chainId, mint]],
    readNewEntryFacts: [[chainId, mint]],
    readStats: [[chainId]],
    readTokenSupply: [[chainId, mint]],
    readHolders: [[{ chainId, mint, offset: 0, limit: 21 }], [{ chainId, mint, offset: 9_900, limit: 101 }]],
    readIndexState: [[]],
    readIndexStateOften: [[]],
    readIndexedToken: [[chainId, mint]],
    // All of them are read once, in the background; each part still comes from the indexes.
    listedTokensAfter: [[10_000, 100, chains]],
    listedTokensSince: [
      [{ registry: 19_990, before: chains, now: chains, volatileIds: [] }],
      [
        {
          registry: 19_990,
          before: chains,
          now: chains,
          volatileIds: Array.from({ length: 500 }, (_, id) => id),
        },
      ],
    ],
    activitySince: [
      [{ registry: undefined, before: [], volatileIds: [], now: dayLater }],
      // Time has passed, or gone back, by little and by much.
      ...[1, 899, -1, 2_000, -100].map((seconds) => [
        {
          registry: 19_990,
          before: dayLater,
          volatileIds: [1, 2, 3],
          now: dayLater.map((chain) => ({ ...chain, timestamp: chain.timestamp + seconds })),
        },
      ]),
    ],
    listedActivity: [
      [Int32Array.of(1, 2, 3), dayLater],
      [Int32Array.from({ length: 500 }, (_, id) => id), dayLater],
    ],
    findMatches: ["otter", "a", "ab", "0x", "0x1234", "100%_", "小狗狗"]
      .map((query) => [{ kind: "text", chainId, query }] as unknown[])
      .concat([[{ kind: "creator", chainId, creator: mint }], [{ kind: "mint", chainId, mint }]]),
    findMatchesSince: [
      [{ kind: "text", chainId, query: "otter" }, 19_990],
      [{ kind: "creator", chainId, creator: mint }, 19_990],
      [{ kind: "mint", chainId, mint }, 19_990],
    ],
    readMetadata: [[chainId, mint]],
    isKnownToken: [[chainId, mint]],
    readTrades: pages({ first: "15000", second: "000000015000-000000" }).flatMap((page) => [
      [{ chainId, mint }, page],
      [{ chainId, trader: "someone" }, page],
      [{ chainId }, page],
    ]),
    readNamedTrades: pages({ first: "15000", second: "000000015000-000000" }).flatMap((page) => [
      [{ chainId, trader: "someone" }, page],
      [{ chainId }, page],
    ]),
    readCandleBounds: [[{ chainId, mint, interval: "1m" }]],
    readCandles: [
      [{ chainId, mint, interval: "1m", first: 0n, last: 90_000n }],
      [{ chainId, mint, interval: "1m", first: 1_100_000n, last: 1_190_000n }],
    ],
    readAccount: [[someone], [{ chainId, account: mint }]],
    readHoldings: pages({ first: "1", second: mint }).map((page) => [{ ...someone, ...page }]),
    readPositions: pages({ first: "15000", second: mint }).map((page) => [{ ...someone, ...page }]),
    readCreatedTokens: pages({ first: "15000", second: "000000015000-000000" }).map((page) => [
      { chainId, account: `0x${"c".repeat(40)}`, ...page },
    ]),
    readFinalBlock: [[chainId]],
    readFinalToken: [[chainId, mint, final]],
    readFinalPair: [[chainId, mint, final]],
    readTradesBetween: [
      [{ chainId, from: "000000000000-000000", before: "000000010000-000000", limit: 1_000 }],
    ],
    readTickers: [
      [{ chainId, final, windowSeconds: 86_400, of: { mint } }],
      [{ chainId, final, windowSeconds: 5_000, of: { offset: 1_000, limit: 1_000 } }],
    ],
    readFinalBnbUsd: [[chainId, final]],
    readHistoricalTrades: [[trades], [{ ...trades, side: "sell", from: 5 }]],
    isLaunchedBy: [[chainId, mint, 5]],
    readVerifiedTokens: [[chains, { after: 5, limit: 500 }]],
    readGraduatedTokens: [
      [chains[0], { after: undefined, limit: 500 }],
      [chains[0], { after: { graduatedAt: "100", mint }, limit: 500 }],
    ],
    readOtherTokens: [[chains, { after: 5, limit: 500 }]],
    readStreamIndex: [[]],
    readNewTokens: [[range]],
    readNewTrades: [[range]],
    readNewGraduations: [[range]],
    readLostEvents: [[{ chainId, since: range.since }]],
    readStreamEvents: streamParts,
    readStreamRegistrations: streamParts,
    readStreamEnd: [[]],
    findStreamPosition: [[{ event: 19_000, version: 19_000, registration: undefined }]],
    ping: [[]],
  };
  const asksNothing = ["checkpointBlock", "checkpointTime", "countPerWindow", "lockStreamTables"];

  test("every query is here", () => {
    expect(Object.keys(queries).sort()).toEqual([...Object.keys(calls), ...asksNothing].sort());
  });

  const grows = new Set(
    "token curve trade holder dex_pair account registration candle position early_buyer bnb_usd_answer stream_event".split(
      " ",
    ),
  );
  /** Reads a table, or an index, from end to end. */
  const isWhole = (node: PlanNode) =>
    grows.has(node["Relation Name"] ?? "") || node["Node Type"] === "Bitmap Index Scan"
      ? node["Node Type"] !== "Bitmap Heap Scan" && node["Index Cond"] === undefined
      : false;

  test.each(Object.entries(calls).flatMap(([name, variants]) => variants.map((given) => ({ name, given }))))(
    "$name($given): no table that grows is read as a whole",
    async ({ name, given }) => {
      const { db, plans } = explainingDatabase(pool);
      await queries[name]?.(db, ...given);
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(nodesOf(plan).filter(isWhole)).toEqual([]);
    },
  );

  test.each(["readHolders", "readTrades"])(
    "%s: from the index in their order, however many there are",
    async (name) => {
      const { db, plans } = explainingDatabase(pool);
      for (const given of calls[name] ?? []) await queries[name]?.(db, ...given);
      for (const plan of plans) {
        expect(nodesOf(plan).map((node) => node["Node Type"])).not.toContain("Sort");
      }
    },
  );

  test("what a token traded is not looked for among what all traded meanwhile", async () => {
    const { db, plans } = explainingDatabase(pool);
    for (const name of ["readTickers", "readHistoricalTrades"]) {
      for (const given of calls[name] ?? []) await queries[name]?.(db, ...given);
    }
    const used = plans.flatMap(nodesOf).map((node) => node["Index Name"]);
    expect(used).toContain("trade_token_index");
    expect(used).not.toContain("trade_newest_index");
    for (const plan of plans.slice(-2)) {
      expect(nodesOf(plan).map((node) => node["Node Type"])).not.toContain("Sort");
    }
  });
});
