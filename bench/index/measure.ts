import type { Benchmark } from "../shared/benchmark.ts";
import { type MarketChainSize, startMarketChain } from "../shared/chain.ts";
import { query, settle } from "../shared/database.ts";
import { type App, startIndexer } from "../shared/ponder.ts";

export type EventCounts = Record<string, number>;

/** The blocks that are followed live. */
const liveBlocks = 20;

/** Times in milliseconds, memory in MiB. */
export type Sample = Awaited<ReturnType<typeof measure>>;

/** Measures an app once, on a new node and in a new database. */
export async function measure(benchmark: Benchmark, app: App, size: MarketChainSize) {
  const chain = await startMarketChain(size);
  const { rpcUrl, transactions, createdTokens } = chain;
  const head = chain.head();
  const databaseUrl = await benchmark.createDatabase(`bench_${app.name}`);
  async function backfill(schema: "cold" | "warm") {
    const indexer = await startIndexer(benchmark, { app, databaseUrl, rpcUrl, schema });
    const { startUp, backfill } = await indexer.untilReady();
    if (indexer.usedCacheOnly() !== (schema === "warm")) {
      throw new Error(`the ${schema} backfill of ${app.name} did not read what it should from the chain`);
    }
    const [memory, events] = [await indexer.readPeakMemory(), await indexer.eventCounts()];
    return { indexer, startUp, backfill, memory, events };
  }

  const cold = await backfill("cold");
  await cold.indexer.stop();
  await settle(databaseUrl);
  const warm = await backfill("warm");
  assertSame(`the cold and the warm backfill of ${app.name}`, cold.events, warm.events);
  // On-chain and off-chain tables with their indexes, without Ponder's RPC cache.
  const [tables] = await query<{ mib: number }>(
    databaseUrl,
    `select sum(pg_total_relation_size(oid))::float8 / 1048576 as mib from pg_class
     where relkind = 'r' and relnamespace in ('warm'::regnamespace, 'offchain'::regnamespace)`,
  );

  // Blocks appear all at once: the app is paused while they are made.
  await warm.indexer.untilIndexed(head);
  warm.indexer.pause();
  for (let block = 0; block < liveBlocks; block++) chain.mine();
  const visibleAt = Date.now();
  warm.indexer.resume();
  const live = (await warm.indexer.untilIndexed(chain.head())) - visibleAt;
  const liveEvents = Object.entries(await warm.indexer.eventCounts()).map(([kind, events]) => {
    return [kind, events - (warm.events[kind] ?? 0)] as const;
  });
  await warm.indexer.stop();
  await chain.stop();
  return {
    chain: { head, transactions, createdTokens, liveBlocks },
    startUp: (cold.startUp + warm.startUp) / 2,
    cold: cold.backfill,
    warm: warm.backfill,
    live,
    coldMemory: cold.memory,
    warmMemory: warm.memory,
    tables: tables?.mib ?? Number.NaN,
    backfillEvents: warm.events,
    liveEvents: Object.fromEntries(liveEvents) as EventCounts,
  };
}

/** Throws unless both have the same number of events of every kind. A missing kind counts as zero. */
export function assertSame(who: string, left: EventCounts, right: EventCounts): void {
  const kinds = Object.keys({ ...left, ...right }).sort();
  const differing = kinds.filter((kind) => (left[kind] ?? 0) !== (right[kind] ?? 0));
  if (differing.length === 0 && kinds.some((kind) => left[kind])) return;
  const list = differing.map((kind) => `${kind}: ${left[kind] ?? 0} and ${right[kind] ?? 0}`);
  throw new Error(`${who} did not index the same events: ${list.join(", ") || "there were none"}`);
}
