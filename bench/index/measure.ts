import type { Benchmark } from "../shared/benchmark.ts";
import { deployment, type MarketChain, type MarketChainSize, startMarketChain } from "../shared/chain.ts";
import { createDatabase, dropDatabase, query, settle } from "../shared/database.ts";
import { type App, type Indexer, startIndexer } from "../shared/indexer.ts";

export type EventCounts = Record<string, number>;

/** The blocks that are followed live. */
const liveBlocks = 20;

/** Times in milliseconds, memory in MiB. */
export type Sample = Awaited<ReturnType<typeof measure>>;

/** Measures an app once, on a new node and in a new database. */
export async function measure(benchmark: Benchmark, app: App, serverUrl: string, size: MarketChainSize) {
  const chain = await startMarketChain(size);
  const { rpcUrl, transactions, createdTokens } = chain;
  const [head, name] = [chain.head(), `bench_${app.name}`];
  const databaseUrl = await createDatabase(serverUrl, name);
  const options = { databaseUrl, rpcUrl, deployment };

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
  // On-chain and off-chain tables with their indexes, without Ponder's RPC cache.
  const [tables] = await query<{ mib: number }>(
    databaseUrl,
    `select sum(pg_total_relation_size(oid))::float8 / 1048576 as mib from pg_class
     where relkind = 'r' and relnamespace in ('warm'::regnamespace, 'offchain'::regnamespace)`,
  );
  const backfillEvents = await warm.eventCounts();
  assertSame(`the cold and the warm backfill of ${app.name}`, coldEvents, backfillEvents);
  const live = await follow(warm, chain);
  const liveEvents = Object.fromEntries(
    Object.entries(await warm.eventCounts()).map(([kind, events]) => [
      kind,
      events - (backfillEvents[kind] ?? 0),
    ]),
  );
  await warm.stop();
  await chain.stop();
  await dropDatabase(serverUrl, name);
  return {
    chain: { head, transactions, createdTokens, liveBlocks },
    startUp: (coldTimes.startUp + warmTimes.startUp) / 2,
    cold: coldTimes.backfill,
    warm: warmTimes.backfill,
    live,
    coldMemory,
    warmMemory,
    tables: tables?.mib ?? Number.NaN,
    backfillEvents,
    liveEvents,
  };
}

/** Throws unless both have the same number of events of every kind. A missing kind counts as zero. */
export function assertSame(who: string, left: EventCounts, right: EventCounts): void {
  const kinds = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  const differing = kinds.filter((kind) => (left[kind] ?? 0) !== (right[kind] ?? 0));
  if (differing.length === 0 && kinds.some((kind) => left[kind])) return;
  const list = differing.map((kind) => `${kind}: ${left[kind] ?? 0} and ${right[kind] ?? 0}`);
  throw new Error(`${who} did not index the same events: ${list.join(", ") || "there were none"}`);
}

/** Measures how long the app takes to index blocks that appear all at once. It is paused while they are made. */
async function follow(indexer: Indexer, chain: MarketChain): Promise<number> {
  await indexer.untilIndexed(chain.head());
  indexer.pause();
  for (let block = 0; block < liveBlocks; block++) chain.mine();
  const visibleAt = Date.now();
  indexer.resume();
  return (await indexer.untilIndexed(chain.head())) - visibleAt;
}
