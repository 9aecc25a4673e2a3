import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { type MarketChainSize, startMarketChain } from "../shared/chain.ts";
import { query, settle } from "../shared/database.ts";
import { text, whole } from "../shared/options.ts";
import { type App, bare, ours, startIndexer } from "../shared/ponder.ts";
import { count, median, met, tableOf } from "../shared/report.ts";
import { measureInTurn, type Rounds } from "../shared/rounds.ts";
import { extractCommit } from "./other-commit.ts";

/* Measures how fast events become rows, beside a bare Ponder app and, with --against, another commit. */

/** The blocks that are followed live. */
const liveBlocks = 20;

const flags = { tokens: whole(5_000), trades: whole(100_000), rounds: whole(3), against: text };

type EventCounts = Record<string, number>;

/** Times in milliseconds, memory in MiB. */
type Sample = Awaited<ReturnType<typeof measure>>;

/** What is compared, and the target for the ratio of ours to the other. */
type Measure = {
  name: string;
  of: (sample: Sample) => number;
  decimals?: number;
  aim?: ["at most" | "at least", number];
};

await runBenchmark(flags, async ({ tokens, trades, rounds, against }, benchmark) => {
  const other = against === undefined ? undefined : await extractCommit(against, benchmark);
  const apps = [bare, ours, ...(other === undefined ? [] : [other.app])];
  const compared = await measureInTurn(apps, rounds, async (app, round) => {
    const sample = await measure(benchmark, app, { tokens, trades });
    const [cold, warm, live] = [sample.cold, sample.warm, sample.live].map((ms) => (ms / 1_000).toFixed(1));
    benchmark.log(`round ${round}, ${app.name}: cold ${cold} s, warm ${warm} s, live ${live} s`);
    return sample;
  });
  const backfillEvents = commonEvents(compared, apps, "backfillEvents");
  const liveEvents = commonEvents(compared, apps, "liveEvents");

  const perSecond = (counts: EventCounts, milliseconds: number) => (1_000 * sumOf(counts)) / milliseconds;
  const rates: Measure[] = [
    { name: "cold backfill (events/s)", of: ({ cold }) => perSecond(backfillEvents, cold) },
    { name: "warm backfill (events/s)", of: ({ warm }) => perSecond(backfillEvents, warm) },
    { name: "live (events/s)", of: ({ live }) => perSecond(liveEvents, live) },
  ];
  const sizes: Measure[] = [
    { name: "peak memory, cold (MiB)", of: ({ coldMemory }) => coldMemory },
    { name: "peak memory, warm (MiB)", of: ({ warmMemory }) => warmMemory },
    { name: "tables (MiB)", of: ({ tables }) => tables },
  ];
  const besideBare: Measure[] = [
    { name: "cold backfill (s)", of: ({ cold }) => cold / 1_000, decimals: 2, aim: ["at most", 1.3] },
    { name: "warm backfill (s)", of: ({ warm }) => warm / 1_000, decimals: 2, aim: ["at most", 2] },
    ...rates,
    ...sizes,
    { name: "start-up (s)", of: ({ startUp }) => startUp / 1_000, decimals: 2 },
  ];
  const besideOtherCommit = [
    ...rates.map((rate): Measure => ({ ...rate, aim: ["at least", 0.7] })),
    ...sizes,
  ];

  const isFullSize = tokens >= 5_000 && trades >= 100_000;
  const [{ chain }] = compared.of(ours) as [Sample];
  const kinds = Object.entries(backfillEvents).filter(([, events]) => events > 0);
  const lines = [
    `${chain.createdTokens} tokens: ${count(chain.transactions)} transactions in ${chain.head} blocks`,
    `${count(sumOf(backfillEvents))} events in the backfill: ${kinds.map(([kind, events]) => `${kind} ${count(events)}`).join(", ")}`,
    `${count(sumOf(liveEvents))} events in ${liveBlocks} live blocks`,
    "",
    ...compare(compared, bare, "bare", besideBare, isFullSize),
    "",
  ];
  if (other !== undefined) {
    lines.push(
      ...compare(compared, other.app, `commit ${other.commit.slice(0, 8)}`, besideOtherCommit, isFullSize),
      "",
    );
  }
  lines.push(`Medians of ${rounds} rounds. The aims are for 5000 tokens and 100000 trades.`);
  return { lines, data: { commit: other?.commit, rounds: apps.map((app) => [app.name, compared.of(app)]) } };
});

/** Measures an app once, on a new node and in a new database. */
async function measure(benchmark: Benchmark, app: App, size: MarketChainSize) {
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

/**
 * The events that ours indexed each time, without those of kinds that only it or only another commit knows. Throws unless each app
 * indexed the same.
 */
function commonEvents(
  compared: Rounds<App, Sample>,
  apps: App[],
  when: "backfillEvents" | "liveEvents",
): EventCounts {
  const [first] = compared.of(ours) as [Sample];
  const [then] = apps.filter(({ name }) => name === "then").flatMap(compared.of);
  const isCommon = (kind: string) => then === undefined || (kind in then[when] && kind in first[when]);
  const pick = (sample: Sample): EventCounts =>
    Object.fromEntries(Object.entries(sample[when]).filter(([kind]) => isCommon(kind)));
  for (const app of apps) {
    for (const sample of compared.of(app)) {
      assertSame(`our app and the one called ${app.name} (${when})`, pick(first), pick(sample));
    }
  }
  return pick(first);
}

/** Throws unless both have the same number of events of every kind. A missing kind counts as zero. */
function assertSame(who: string, left: EventCounts, right: EventCounts): void {
  const kinds = Object.keys({ ...left, ...right }).sort();
  const differing = kinds.filter((kind) => (left[kind] ?? 0) !== (right[kind] ?? 0));
  if (differing.length === 0 && kinds.some((kind) => left[kind])) return;
  const list = differing.map((kind) => `${kind}: ${left[kind] ?? 0} and ${right[kind] ?? 0}`);
  throw new Error(`${who} did not index the same events: ${list.join(", ") || "there were none"}`);
}

/** Compares ours with another app. */
function compare(
  compared: Rounds<App, Sample>,
  other: App,
  heading: string,
  measures: Measure[],
  isFullSize: boolean,
): string[] {
  function verdict([bound, limit]: NonNullable<Measure["aim"]>, ratio: number): string {
    if (!isFullSize) return "too small a chain to tell";
    return met(bound === "at most" ? ratio <= limit : ratio >= limit);
  }
  const rows = measures.map(({ name, of, decimals, aim }) => {
    const format = (value: number) => (decimals === undefined ? count(value) : value.toFixed(decimals));
    const ratios = compared.ratios(ours, other, of);
    const ratio = median(ratios);
    return {
      "": name,
      ours: format(compared.median(ours, of)),
      [heading]: format(compared.median(other, of)),
      ratio: ratio.toFixed(2),
      range: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      aim: aim === undefined ? "" : `${aim[0]} ${aim[1].toFixed(1)}: ${verdict(aim, ratio)}`,
    };
  });
  return tableOf(rows, { lastIsText: true });
}

function sumOf(counts: EventCounts): number {
  return Object.values(counts).reduce((sum, events) => sum + events, 0);
}
