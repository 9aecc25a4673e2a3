import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { numberToHex } from "../hex.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log } from "../sources/log.ts";
import { inTransaction, storeWindow } from "./store-window.ts";
import { createWindowsTable } from "./window-counts.ts";

/** Connects to a new database: by one connection, unless the options say otherwise. */
async function createPool(options: pg.PoolConfig = {}) {
  const { url, query, drop } = await createDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options });
  onTestFinished(async () => {
    await pool.end();
    await drop();
  });
  return { pool, query };
}

test("a transaction whose connection is lost rejects, and the thread lives on", async () => {
  const { pool, query } = await createPool();
  pool.on("error", () => {});
  const pidOf = async (client: pg.PoolClient): Promise<number> =>
    (await client.query("select pg_backend_pid() as pid")).rows[0].pid;

  const pids: number[] = [];
  const losing = inTransaction(pool, async (client) => {
    pids.push(await pidOf(client));
    const ended = new Promise((resolve) => client.once("end", resolve));
    await query("select pg_terminate_backend($1)", [pids[0]]);
    await ended;
    await client.query("select");
  });
  await expect(losing).rejects.toThrow();
  // The next ones share a new connection, which gathers no listeners.
  for (const _ of [1, 2]) {
    await inTransaction(pool, async (client) => {
      pids.push(await pidOf(client));
      expect(client.listenerCount("error")).toBe(1);
    });
  }
  expect(new Set(pids).size).toBe(2);
  expect(pids[1]).toBe(pids[2]);
});

const launchpad: Hex = `0x${"1".repeat(40)}`;
const sources = {
  chainId: 56,
  tokenFactory: launchpad,
  launchpad,
  priceFeeds: [],
  startBlock: 0,
  feedStartBlock: 0,
};

const logOf = (transaction: number, logIndex: number): Log => ({
  address: launchpad,
  topics: [eventTopics.trade],
  data: "0x",
  blockNumber: numberToHex(5),
  blockHash: numberToHex(55),
  blockTimestamp: numberToHex(1_750_000_000),
  transactionHash: numberToHex(transaction),
  transactionIndex: numberToHex(7),
  logIndex: numberToHex(logIndex),
});

test("a followed block's logs that named a wrong transaction are stored with the right one", async () => {
  const { pool, query } = await createPool();
  await createWindowsTable(pool);
  const window = { from: 1, to: 9 };
  const [foreign, missing] = [[logOf(66, 1)], [logOf(77, 1)]];
  const store = (logs: Log[], difference?: { window: typeof window; missing: Log[]; foreign: Log[] }) =>
    storeWindow(pool, sources, {
      window,
      sources: ["launchpad"],
      events: { logs, timestamps: new Map() },
      reread: difference && { difference },
    });
  await store([logOf(66, 1)]);
  await store([...missing, logOf(77, 2)], { window, missing, foreign });
  expect(
    await query(
      `select log_index, transaction_hash, hash from ponder_sync.logs
       join ponder_sync.transactions using (chain_id, block_number, transaction_index) order by log_index`,
    ),
  ).toEqual([1, 2].map((index) => ({ log_index: index, transaction_hash: "0x4d", hash: "0x4d" })));
});

test("of blocks that were read again without a difference, only the range is stored", async () => {
  const { pool, query } = await createPool();
  await createWindowsTable(pool);
  await storeWindow(pool, sources, {
    window: { from: 1, to: 9 },
    sources: ["launchpad"],
    events: { logs: [logOf(66, 1)], timestamps: new Map() },
    reread: { difference: undefined },
  });
  expect(await query("select from ponder_sync.logs union all select from ponder_sync.transactions")).toEqual(
    [],
  );
  expect(await query("select blocks::text from offchain.chain_coverage")).toEqual([{ blocks: "{[1,10)}" }]);
});

test("windows are stored at the same time, whatever the role's isolation level", async () => {
  const { pool, query } = await createPool({
    max: 4,
    options: String.raw`-c default_transaction_isolation=repeatable\ read`,
  });
  await createWindowsTable(pool);
  const windows = [2, 3, 4].map((number) => ({ from: number, to: number }));
  const holding = await pool.connect();
  await holding.query("begin; lock table offchain.chain_coverage");
  const storing = windows.map((window) =>
    storeWindow(pool, sources, {
      window,
      sources: ["launchpad"],
      events: { logs: [], timestamps: new Map() },
    }),
  );
  await expect
    .poll(() =>
      query("select from pg_locks where relation = 'offchain.chain_coverage'::regclass and not granted"),
    )
    .toHaveLength(3);
  await holding.query("commit");
  holding.release();
  await Promise.all(storing);
  expect(await query("select blocks::text from offchain.chain_coverage")).toEqual([{ blocks: "{[2,5)}" }]);
});
