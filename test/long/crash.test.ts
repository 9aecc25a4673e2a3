import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../chain/emulated-endpoint.ts";
import { type LaunchpadChain, reachedThrough, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { until } from "../service/condition.ts";
import { testSchema } from "../service/indexer.ts";
import { type Service, startService } from "../service/service.ts";

/* A first sync that is interrupted, and then a stored history that has lost logs. */

const blockRange = 40;

let chain: LaunchpadChain;
let service: Service;
let endpoint: EmulatedEndpoint;

beforeAll(async () => {
  // Enough requests at a low enough rate that the sync can be interrupted halfway: Ponder indexes nothing before it has 2,000 blocks.
  chain = await startLaunchpadChain();
  for (let seed = 3; seed < 12; seed++) {
    await chain.trade(seed, { blocks: 5, actionsPerBlock: 4, creations: 0.1 });
    // In parts: on a busy machine, mining more at a time could exceed the request timeout.
    for (let part = 0; part < 9; part++) await chain.testClient.mine({ blocks: 44 });
  }
  endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl, blockRange, requestsPerSecond: 10 });
  service = await startService([reachedThrough(endpoint.url, chain)]);
});

afterAll(async () => {
  await service?.stop();
  await endpoint?.stop();
  await chain?.stop();
});

const tradeCount = async () => (await service.database.query("select 1 from onchain.trade")).length;

/** Number of historical blocks in the database. */
async function storedBlocks(): Promise<number> {
  const [row] = await service.database.query<{ blocks: number }>(
    `select coalesce(sum(upper(range) - lower(range)), 0)::int as blocks
     from offchain.chain_coverage, unnest(blocks) range`,
  );
  return row?.blocks ?? 0;
}

test("kill -9 during the first sync loses nothing, counts nothing twice and refetches nothing", async () => {
  await until("the tables", async () => service.indexer.output().includes("Created database tables"));
  await until("some trades", async () => (await tradeCount()) > 0);
  // Enough that refetching it would show.
  await until("most of the history", async () => (await storedBlocks()) > 500);
  expect((await fetch(`${service.indexer.url}/ready`)).status).toBe(503);
  await service.indexer.kill();
  const [stored, before] = [await storedBlocks(), await tradeCount()];
  expect(stored).toBeLessThan(Number(await chain.head()) - 100);

  endpoint.counts.reset();
  endpoint.set({ requestsPerSecond: Number.POSITIVE_INFINITY });
  await service.restart();
  await service.indexer.untilReady();
  expect(service.indexer.output()).toContain("Detected crash recovery");
  await service.expectIndexEqualsChain();
  expect(await tradeCount()).toBeGreaterThan(before);
  // One request per range for the launchpad's own events and one for those of its tokens.
  const whole = 2 * Math.ceil(Number(await chain.head()) / blockRange);
  const { elements = 0 } = endpoint.counts.byMethod().eth_getLogs ?? {};
  expect(elements).toBeLessThan(whole - stored / blockRange);
});

test("an index that is made again from a history that has lost logs equals the chain", async () => {
  const { query } = service.database;
  const countLogs = async () => (await query("select 1 from ponder_sync.logs")).length;
  const all = await countLogs();

  // With Ponder's own record of what it has read, and without.
  for (const damage of ["truncate ponder_sync.intervals", "select"]) {
    await service.indexer.stop();
    await query(
      `delete from ponder_sync.logs where log_index % 2 = 1; ${damage}; drop schema ${testSchema} cascade`,
    );
    expect(await countLogs()).toBeLessThan(all);
    await service.restart();
    await service.expectIndexEqualsChain();
    expect(await countLogs()).toBe(all);
    expect(service.indexer.output()).toMatch(/history: \d+ of \d+ logs are missing in \d+ stored blocks/);
  }
});
