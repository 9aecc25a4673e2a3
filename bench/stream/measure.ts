import { setTimeout as delay } from "node:timers/promises";
import { ours } from "../index/apps.ts";
import { startNode } from "../index/chain/node.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import { startIndexer } from "../index/indexer.ts";
import type { Processes } from "../index/processes.ts";
import { watchCommits } from "./commits.ts";
import { startLoad } from "./load/run-load.ts";
import { openMarket } from "./market.ts";
import type { BenchmarkOptions } from "./options.ts";

/** Delays in milliseconds, for each event at each client. */
export type Delays = {
  /** Since the block was mined. */
  sinceMined: number[];
  /** Since the block was in Ponder's tables. */
  sinceCommitted: number[];
  /** For each block, from mining until it was in Ponder's tables. */
  ofPonder: number[];
};

const schema = "bench";
/** Blocks that don't count, while V8 warms up in all processes. */
const warmUpBlocks = 10;

/** @param folder a folder for temporary files */
export async function measure(
  processes: Processes,
  serverUrl: string,
  folder: string,
  { clients, blocks, trades, blockTime }: BenchmarkOptions,
): Promise<Delays> {
  const node = await startNode(processes, []);
  const market = await openMarket(node);
  const databaseUrl = await createDatabase(serverUrl, "bench_stream");
  const { rpcUrl } = node;
  const indexer = await startIndexer(processes, ours, {
    databaseUrl,
    schema,
    rpcUrl,
    deployment: market.deployment,
  });
  await indexer.untilReady();
  const load = await startLoad(processes, folder, {
    port: indexer.port,
    clients,
    events: (warmUpBlocks + blocks) * trades,
  });
  const commits = await watchCommits(databaseUrl, schema);

  const mined: { block: number; minedAt: number }[] = [];
  for (let count = 0; count < warmUpBlocks + blocks; count++) {
    mined.push(await market.mine(trades));
    // Random, so that blocks aren't in step with Ponder's polling.
    await delay(blockTime + 100 * Math.random());
  }
  const arrivals = await load.result();
  await commits.stop();
  await indexer.stop();
  await node.process.stop();
  await dropDatabase(serverUrl, "bench_stream");

  const delays: Delays = { sinceMined: [], sinceCommitted: [], ofPonder: [] };
  for (const { block, minedAt } of mined.slice(warmUpBlocks)) {
    const committedAt = commits.committedAt.get(block);
    if (committedAt === undefined)
      throw new Error(`there was no notification of block ${block}: increase --block-time`);
    delays.ofPonder.push(committedAt - minedAt);
    for (const arrivedAt of arrivals[block] ?? []) {
      delays.sinceMined.push(arrivedAt - minedAt);
      delays.sinceCommitted.push(arrivedAt - committedAt);
    }
  }
  return delays;
}
