import { runBenchmark } from "../shared/benchmark.ts";
import { text, whole } from "../shared/options.ts";
import { type App, bare, ours } from "../shared/ponder.ts";
import { count, median, met, table } from "../shared/report.ts";
import { measureInTurn } from "../shared/rounds.ts";
import { assertSame, type EventCounts, measure, type Sample } from "./measure.ts";
import { extractCommit } from "./other-commit.ts";

/* Measures how fast events become rows, beside a bare Ponder app and, with --against, another commit. */

/** Ours and another app's, of the same round. */
type Pair = [ours: Sample, other: Sample];

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
  const other = against === undefined ? undefined : await extractCommit(against, benchmark);
  const apps = [bare, ours, ...(other === undefined ? [] : [other.app])];
  const names = apps.map((app) => app.name);
  const compared = await measureInTurn(names, rounds, async (name, round) => {
    const app = apps.find((one) => one.name === name) as App;
    const sample = await measure(benchmark, app, { tokens, trades });
    const [cold, warm, live] = [sample.cold, sample.warm, sample.live].map((ms) => (ms / 1_000).toFixed(1));
    benchmark.log(`round ${round}, ${name}: cold ${cold} s, warm ${warm} s, live ${live} s`);
    return sample;
  });
  const pairsWith = (name: "bare" | "then") =>
    compared.of("ours").map((ours, round) => pairOf(name, ours, compared.of(name)[round] as Sample));
  const withBare = pairsWith("bare");

  const isFullSize = tokens >= 5_000 && trades >= 100_000;
  const [{ chain, backfillEvents, liveEvents }] = withBare[0] as Pair;
  const kinds = Object.entries(backfillEvents)
    .filter(([, events]) => events > 0)
    .map(([kind, events]) => `${kind} ${count(events)}`);
  const lines = [
    `${chain.createdTokens} tokens: ${count(chain.transactions)} transactions in ${chain.head} blocks`,
    `${count(sumOf(backfillEvents))} events in the backfill: ${kinds.join(", ")}`,
    `${count(sumOf(liveEvents))} events in ${chain.liveBlocks} live blocks`,
    "",
    ...compare("bare", besideBare, withBare, isFullSize),
    "",
  ];
  if (other !== undefined) {
    const pairs = pairsWith("then");
    lines.push(...compare(other.commit.slice(0, 8), besideOtherCommit, pairs, isFullSize), "");
  }
  lines.push(`Medians of ${rounds} rounds. The aims are for 5000 tokens and 100000 trades.`);
  return { lines, data: { commit: other?.commit, rounds: names.map((name) => [name, compared.of(name)]) } };
});

/** Leaves out the events of kinds that another commit doesn't know. Throws unless both indexed the same others. */
function pairOf(name: "bare" | "then", ours: Sample, other: Sample): Pair {
  const shared = (counts: EventCounts, from: EventCounts): EventCounts =>
    Object.fromEntries(Object.entries(counts).filter(([kind]) => name === "bare" || kind in from));
  const pair: Pair = [{ ...ours }, { ...other }];
  for (const when of ["backfillEvents", "liveEvents"] as const) {
    pair[0][when] = shared(ours[when], other[when]);
    pair[1][when] = shared(other[when], ours[when]);
    assertSame(`our app and the one called ${name} (${when})`, pair[0][when], pair[1][when]);
  }
  return pair;
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
