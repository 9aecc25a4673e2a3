import path from "node:path";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import type { MarketChainSize } from "../shared/chain.ts";
import { type App, bare, ours } from "../shared/indexer.ts";
import { text, whole } from "../shared/options.ts";
import { count, inTurn, median, met, table } from "../shared/report.ts";
import { assertSame, type EventCounts, measure, type Sample } from "./measure.ts";
import { checkOut } from "./other-commit.ts";

/* Measures how fast events become rows, beside a bare Ponder app and, with --against, another commit. */

/** One round: the apps, measured one after the other. */
type Round = { ours: Sample; bare: Sample; then: Sample | undefined };

/** Ours and another app's, of the same round. */
type Pair = [Sample, Sample];

/** What is compared, and the target for the ratio of ours to the other. */
type Measure = {
  name: string;
  of: (sample: Sample) => number;
  decimals?: number;
  aim?: { atMost: number } | { atLeast: number };
};

const rates: Measure[] = [
  { name: "cold backfill (events/s)", of: ({ backfillEvents, cold }) => perSecond(backfillEvents, cold) },
  { name: "warm backfill (events/s)", of: ({ backfillEvents, warm }) => perSecond(backfillEvents, warm) },
  { name: "live (events/s)", of: ({ liveEvents, live }) => perSecond(liveEvents, live) },
];

const sizes: Measure[] = [
  { name: "peak memory, cold (MiB)", of: ({ coldMemory }) => coldMemory },
  { name: "peak memory, warm (MiB)", of: ({ warmMemory }) => warmMemory },
  { name: "tables (MiB)", of: ({ tables }) => tables },
];

const besideBare: Measure[] = [
  { name: "cold backfill (s)", of: ({ cold }) => cold / 1_000, decimals: 2, aim: { atMost: 1.3 } },
  { name: "warm backfill (s)", of: ({ warm }) => warm / 1_000, decimals: 2, aim: { atMost: 2 } },
  ...rates,
  ...sizes,
  { name: "start-up (s)", of: ({ startUp }) => startUp / 1_000, decimals: 2 },
];

const besideOtherCommit = [...rates.map((rate) => ({ ...rate, aim: { atLeast: 0.7 } })), ...sizes];

const flags = { tokens: whole(5_000), trades: whole(100_000), rounds: whole(3), against: text };

await runBenchmark(flags, async ({ tokens, trades, rounds, against }, benchmark) => {
  const { adminUrl } = await benchmark.startPostgres();
  const other =
    against === undefined
      ? undefined
      : await checkOut(against, path.join(benchmark.folder, "then"), benchmark);
  const apps = [bare, ours, ...(other === undefined ? [] : [other.app])];
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    measured.push(await measureRound(benchmark, apps, round, adminUrl, { tokens, trades }));
  }

  const [first] = measured;
  if (first === undefined) throw new Error("no rounds");
  const { chain, backfillEvents, liveEvents } = first.ours;
  const isFullSize = tokens >= 5_000 && trades >= 100_000;
  const kinds = Object.entries(backfillEvents)
    .filter(([, events]) => events > 0)
    .map(([kind, events]) => `${kind} ${count(events)}`);
  const pairsWithBare = measured.map(({ ours, bare }): Pair => [ours, bare]);
  const pairsWithThen = measured.flatMap(({ ours, then }): Pair[] =>
    then === undefined ? [] : [withSharedKinds(ours, then)],
  );
  return {
    lines: [
      `${chain.createdTokens} tokens: ${count(chain.transactions)} transactions in ${chain.head} blocks`,
      `${count(sumOf(backfillEvents))} events in the backfill: ${kinds.join(", ")}`,
      `${count(sumOf(liveEvents))} events in ${chain.liveBlocks} live blocks`,
      "",
      ...compare("bare", besideBare, pairsWithBare, isFullSize),
      "",
      ...(other === undefined
        ? []
        : [...compare(other.commit.slice(0, 8), besideOtherCommit, pairsWithThen, isFullSize), ""]),
      `Medians of ${rounds} rounds. The aims are for 5000 tokens and 100000 trades.`,
    ],
    data: { commit: other?.commit, rounds: measured },
  };
});

/** Measures each app once. Throws unless all indexed the same events. */
async function measureRound(
  benchmark: Benchmark,
  apps: App[],
  round: number,
  serverUrl: string,
  size: MarketChainSize,
): Promise<Round> {
  const samples: Partial<Record<App["name"], Sample>> = {};
  for (const app of inTurn(apps, round)) {
    const sample = await measure(benchmark, app, serverUrl, size);
    const [cold, warm, live] = [sample.cold, sample.warm, sample.live].map((ms) => (ms / 1_000).toFixed(1));
    benchmark.log(`round ${round}, ${app.name}: cold ${cold} s, warm ${warm} s, live ${live} s`);
    samples[app.name] = sample;
  }
  const { ours, bare, then } = samples;
  if (ours === undefined || bare === undefined) throw new Error("an app was not measured");
  for (const when of ["backfillEvents", "liveEvents"] as const) {
    assertSame(`our app and the bare one (${when})`, ours[when], bare[when]);
    if (then === undefined) continue;
    const [now, before] = withSharedKinds(ours, then);
    assertSame(`our app now and then (${when})`, now[when], before[when]);
  }
  return { ours, bare, then };
}

/** Leaves out the events of kinds that the other app doesn't know. */
function withSharedKinds(one: Sample, other: Sample): Pair {
  const without = (sample: Sample, from: Sample): Sample => {
    const shared = (when: "backfillEvents" | "liveEvents") =>
      Object.fromEntries(Object.entries(sample[when]).filter(([kind]) => kind in from[when]));
    return { ...sample, backfillEvents: shared("backfillEvents"), liveEvents: shared("liveEvents") };
  };
  return [without(one, other), without(other, one)];
}

/** Compares ours with another app, whose name heads its column. */
function compare(other: string, measures: Measure[], pairs: Pair[], isFullSize: boolean): string[] {
  const rows = measures.map(({ name, of, decimals, aim }) => {
    const amount = (side: 0 | 1) => {
      const value = median(pairs.map((pair) => of(pair[side])));
      return decimals === undefined ? count(value) : value.toFixed(decimals);
    };
    // A ratio for each round, because a temporarily slow machine slows down both sides of it.
    const ratios = pairs.map(([ours, other]) => of(ours) / of(other));
    const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join("–");
    const ratio = median(ratios);
    const words = aim === undefined ? "" : verdict(aim, ratio, isFullSize);
    return [name, amount(0), amount(1), ratio.toFixed(2), range, words];
  });
  return table([["", "ours", other, "ratio", "range", "aim"], ...rows], { lastIsText: true });
}

function verdict(aim: NonNullable<Measure["aim"]>, ratio: number, isFullSize: boolean): string {
  const [words, isMet] =
    "atMost" in aim
      ? [`at most ${aim.atMost.toFixed(1)}`, ratio <= aim.atMost]
      : [`at least ${aim.atLeast.toFixed(1)}`, ratio >= aim.atLeast];
  return `${words}: ${isFullSize ? met(isMet) : "too small a chain to tell"}`;
}

function sumOf(counts: EventCounts): number {
  return Object.values(counts).reduce((sum, events) => sum + events, 0);
}

function perSecond(counts: EventCounts, milliseconds: number): number {
  return (1_000 * sumOf(counts)) / milliseconds;
}
