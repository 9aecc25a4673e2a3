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
        holder_count, created_at, created_block, created_log_index, created_tx)
      select 56, ${mint}, '0x' || lpad(to_hex(n % 1000), 40, 'c'), 'Token ' || n, 'T' || n, 30 + n % 41, '0x', 1, '0x',
        1, n, n, 0, '0x' from ${rows};
    insert into onchain.curve (chain_id, token, burn_percent, virtual_bnb_reserves, virtual_token_reserves,
        real_token_reserves, tokens_sold, total_to_sell, progress, graduated, graduated_at, price_x36, last_trade_at)
      select 56, ${mint}, 50, 1, 1, 1, 1, 1, n % 100, n % 10 = 0, case when n % 10 = 0 then n end, 1, n from ${rows};
    insert into onchain.holder (chain_id, token, account, balance, kind)
      select 56, '0x' || repeat('0', 40), ${mint}, n, 'account'::onchain.holder_kind from ${rows}
      union all select 56, ${mint}, 'someone', 1, 'account'::onchain.holder_kind from generate_series(1, 19999) n;
    insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, version, search)
      select chain_id, address, name, symbol, creator, burn_percent, created_block,
        U&'\\0001' || lower(name) || U&'\\0001' || lower(symbol) || U&'\\0002' from onchain.token;
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
    { chainId: 56, block: 20_000, safe: at },
    { chainId: 97, block: 20_000, safe: at },
  ];

  /** Arguments for every function that asks the database. One that is not here makes the test below fail. */
  const calls: Record<string, unknown[][]> = {
    readCurve: [[chainId, mint]],
    readCurveProgress: [
      [chainId, [mint]],
      [chainId, Array(100).fill(mint)],
    ],
    readEntries: [[[1]], [Array.from({ length: 100 }, (_, index) => index)]],
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
    findMatches: ["otter", "a", "ab", "0x", "0x1234", "100%_", "小狗狗"]
      .map((query) => [{ kind: "text", chainId, query }] as unknown[])
      .concat([[{ kind: "creator", chainId, creator: mint }], [{ kind: "mint", chainId, mint }]]),
    findMatchesSince: [
      [{ kind: "text", chainId, query: "otter" }, 19_990],
      [{ kind: "creator", chainId, creator: mint }, 19_990],
      [{ kind: "mint", chainId, mint }, 19_990],
    ],
    readMetadata: [[chainId, mint]],
    ping: [[]],
  };
  const asksNothing = ["checkpointBlock"];

  test("every query is here", () => {
    expect(Object.keys(queries).sort()).toEqual([...Object.keys(calls), ...asksNothing].sort());
  });

  const grows = new Set(["token", "curve", "trade", "holder", "dex_pair", "account", "registration"]);
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

  test("holders come from the index in their order, however many there are", async () => {
    const { db, plans } = explainingDatabase(pool);
    for (const given of calls.readHolders ?? []) await queries.readHolders?.(db, ...given);
    for (const plan of plans) {
      expect(nodesOf(plan).map((node) => node["Node Type"])).not.toContain("Sort");
    }
  });
});
