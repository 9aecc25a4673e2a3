import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { migrateSyncTables } from "../../test/run/ponder-sync.ts";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { createChainGate } from "./chain-gate.ts";

let chain: LaunchpadChain;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator, "Twin", "TWIN");
  for (let count = 0; count < 5; count++) await chain.buy(buyer, token, 10n ** 15n);
  // All of it is final.
  await chain.testClient.mine({ blocks: 40 });
});

afterAll(async () => {
  await chain?.stop();
});

async function startGate(database: TestDatabase, endpoint: EmulatedEndpoint) {
  const { tokenFactory, launchpad, startBlock } = chain.deployment;
  const pool = new pg.Pool({ connectionString: database.url });
  const gate = createChainGate({
    sources: {
      chainId: 56,
      tokenFactory: tokenFactory.toLowerCase() as `0x${string}`,
      launchpad: launchpad.toLowerCase() as `0x${string}`,
      priceFeeds: [],
      startBlock: Number(startBlock),
      feedStartBlock: Number(startBlock),
    },
    rpcUrls: [endpoint.url],
    webSocketUrls: [],
    pollingMs: 100,
    database: pool,
    log: () => {},
  });
  const toBlock = `0x${(await chain.head()).toString(16)}`;
  return {
    /** As Ponder does once its tables are there. */
    ask: () => gate.request("eth_getLogs", [{ address: launchpad, topics: [], fromBlock: "0x0", toBlock }]),
    async stop() {
      await gate.stop();
      await pool.end();
    },
  };
}

async function startAll() {
  const database = await createDatabase();
  const endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  onTestFinished(async () => {
    await endpoint.stop();
    await database.drop();
  });
  const countLogs = async () => {
    const [row] = await database.query<{ count: number }>("select count(*)::int from ponder_sync.logs");
    return row?.count;
  };
  return { database, endpoint, countLogs };
}

const logRequests = ({ counts }: EmulatedEndpoint) => counts.byMethod().eth_getLogs?.elements ?? 0;

test("a new database's history is read before Ponder asks, and stored once it does", async () => {
  const { database, endpoint, countLogs } = await startAll();
  await database.query("drop schema ponder_sync cascade");
  const gate = await startGate(database, endpoint);
  await expect.poll(() => logRequests(endpoint), { timeout: 10_000 }).toBeGreaterThan(0);
  await migrateSyncTables(database.url);
  expect(await countLogs()).toBe(0);
  await gate.ask();
  expect(await countLogs()).toBeGreaterThan(10);
  await gate.stop();
});

test("a gate that ends before Ponder has asked stores nothing", async () => {
  const { database, endpoint, countLogs } = await startAll();
  await database.query("drop schema ponder_sync cascade");
  const gate = await startGate(database, endpoint);
  await expect.poll(() => logRequests(endpoint), { timeout: 10_000 }).toBeGreaterThan(0);
  await migrateSyncTables(database.url);
  await gate.stop();
  expect(await countLogs()).toBe(0);
});

test("a history that somebody has dropped is read anew", async () => {
  const { database, endpoint, countLogs } = await startAll();
  const first = await startGate(database, endpoint);
  await first.ask();
  await first.stop();
  const all = await countLogs();

  await database.query("drop schema ponder_sync cascade");
  await migrateSyncTables(database.url);
  const second = await startGate(database, endpoint);
  await second.ask();
  await second.stop();
  expect(await countLogs()).toBe(all);
});
