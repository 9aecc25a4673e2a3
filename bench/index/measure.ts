import type { Benchmark } from "../shared/benchmark.ts";
import type { CachedChain } from "../shared/cached-chain.ts";
import { createDatabase, dropDatabase, query, settle } from "../shared/database.ts";
import { type App, type Indexer, startIndexer } from "../shared/indexer.ts";
import { type ChainNode, startNode } from "../shared/node.ts";

export type EventCounts = Record<string, number>;

/** Times in milliseconds, memory in MiB. */
export type Sample = {
  startUp: number;
  cold: number;
  warm: number;
  live: number;
  coldMemory: number;
  warmMemory: number;
  /** On-chain and off-chain tables with their indexes after the backfill, without Ponder's RPC cache, in MiB. */
  tables: number;
  /** The events of each backfill, and the additional ones of the live blocks. */
  backfillEvents: EventCounts;
  liveEvents: EventCounts;
};

/** Measures an app once, on a new node and in a new database. */
export async function measure(
  benchmark: Benchmark,
  app: App,
  { chain, serverUrl, name }: { chain: CachedChain; serverUrl: string; name: string },
): Promise<Sample> {
  const node = await startNode(benchmark, ["--load-state", chain.stateFile]);
  const head = await node.readHead();
  if (head !== chain.head) throw new Error(`${chain.stateFile} ends at block ${head}`);
  const databaseUrl = await createDatabase(serverUrl, name);
  const options = { databaseUrl, rpcUrl: node.rpcUrl, deployment: chain.deployment };

  const cold = await startIndexer(benchmark, app, { ...options, schema: "cold" });
  const coldTimes = await cold.untilReady();
  if (cold.usedCacheOnly()) throw new Error("the cold backfill found its data in the cache");
  const coldMemory = await cold.readPeakMemory();
  const coldEvents = await cold.eventCounts();
  await cold.stop();
  await settle(databaseUrl);

  const warm = await startIndexer(benchmark, app, { ...options, schema: "warm" });
  const warmTimes = await warm.untilReady();
  if (!warm.usedCacheOnly()) throw new Error("the warm backfill asked the chain for data");
  const warmMemory = await warm.readPeakMemory();
  const [size] = await query<{ mib: string }>(
    databaseUrl,
    `select sum(pg_total_relation_size(oid)) / 1048576 as mib from pg_class
     where relkind = 'r' and relnamespace in ('warm'::regnamespace, 'offchain'::regnamespace)`,
  );
  const backfillEvents = await warm.eventCounts();
  assertSame(`the cold and the warm backfill of ${app.name}`, coldEvents, backfillEvents);
  const live = await follow(warm, node, chain);
  const allEvents = await warm.eventCounts();

  await warm.stop();
  await node.stop();
  await dropDatabase(serverUrl, name);
  return {
    startUp: (coldTimes.startUp + warmTimes.startUp) / 2,
    cold: coldTimes.backfill,
    warm: warmTimes.backfill,
    live,
    coldMemory,
    warmMemory,
    tables: Number(size?.mib),
    backfillEvents,
    liveEvents: Object.fromEntries(
      Object.entries(allEvents).map(([kind, count]) => [kind, count - (backfillEvents[kind] ?? 0)]),
    ),
  };
}

/** Throws unless both have the same number of events of every kind. A missing kind counts as zero. */
export function assertSame(who: string, left: EventCounts, right: EventCounts): void {
  const kinds = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  const count = (counts: EventCounts, kind: string) => counts[kind] ?? 0;
  const differing = kinds.filter((kind) => count(left, kind) !== count(right, kind));
  if (differing.length === 0 && kinds.some((kind) => count(left, kind) > 0)) return;
  const list = differing.map((kind) => `${kind}: ${count(left, kind)} and ${count(right, kind)}`);
  throw new Error(`${who} did not index the same events: ${list.join(", ") || "there were none"}`);
}

/**
 * Measures how long the app takes to index blocks that appear all at once. It is paused while they are mined, so that the node's
 * time doesn't count.
 */
async function follow(indexer: Indexer, node: ChainNode, { head, live }: CachedChain): Promise<number> {
  await indexer.untilIndexed(head);
  indexer.pause();
  for (const block of live) await node.mine(block);
  const visibleAt = Date.now();
  indexer.resume();
  return (await indexer.untilIndexed(head + live.length)) - visibleAt;
}
