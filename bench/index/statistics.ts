import { median } from "../shared/quantile.ts";
import { type EventCounts, keepSharedKinds, type Sample } from "./measure.ts";

/** One round: the apps, measured one after the other. */
export type Round = { ours: Sample; bare: Sample; then?: Sample };

export type Measure = {
  name: string;
  unit: "s" | "events/s" | "MiB";
  ours: number;
  /** The value of the app that ours is compared with. */
  other: number;
  /** The median of the rounds' ratios of ours to the other, and the smallest and largest ratio. */
  ratio: number;
  ratioRange: [number, number];
  /** The target for the ratio. */
  aim?: { atMost: number } | { atLeast: number };
};

type Definition = Pick<Measure, "name" | "unit" | "aim"> & { of: (sample: Sample) => number };

const rates: Definition[] = [
  {
    name: "cold backfill",
    unit: "events/s",
    of: (sample) => perSecond(sample.backfillEvents, sample.cold),
  },
  {
    name: "warm backfill",
    unit: "events/s",
    of: (sample) => perSecond(sample.backfillEvents, sample.warm),
  },
  { name: "live", unit: "events/s", of: (sample) => perSecond(sample.liveEvents, sample.live) },
];

const sizes: Definition[] = [
  { name: "peak memory, cold", unit: "MiB", of: ({ coldMemory }) => coldMemory },
  { name: "peak memory, warm", unit: "MiB", of: ({ warmMemory }) => warmMemory },
  { name: "tables", unit: "MiB", of: ({ tables }) => tables },
];

const definitions: Definition[] = [
  { name: "cold backfill", unit: "s", aim: { atMost: 1.3 }, of: ({ cold }) => cold / 1_000 },
  { name: "warm backfill", unit: "s", aim: { atMost: 2 }, of: ({ warm }) => warm / 1_000 },
  ...rates,
  ...sizes,
  { name: "start-up", unit: "s", of: ({ startUp }) => startUp / 1_000 },
];

/** Compares ours with the bare app. */
export function summarize(rounds: Round[]): Measure[] {
  return definitions.map((definition) =>
    compare(
      definition,
      rounds.map(({ ours, bare }) => [ours, bare]),
    ),
  );
}

/** Compares ours with the other commit by the events that both know; undefined if that was not measured. */
export function summarizeAgainst(rounds: Round[]): Measure[] | undefined {
  const pairs = rounds.flatMap(({ ours, then }): Pair[] =>
    then === undefined ? [] : [[known(ours, then), known(then, ours)]],
  );
  if (pairs.length === 0) return undefined;
  return [...rates.map((rate) => ({ ...rate, aim: { atLeast: 0.7 } })), ...sizes].map((definition) =>
    compare(definition, pairs),
  );
}

type Pair = [ours: Sample, other: Sample];

/** Computes a ratio for each round, because a temporarily slow machine slows down both sides of it. */
function compare({ of, ...definition }: Definition, pairs: Pair[]): Measure {
  const ratios = pairs.map(([ours, other]) => of(ours) / of(other));
  return {
    ...definition,
    ours: median(pairs.map(([ours]) => of(ours))),
    other: median(pairs.map(([, other]) => of(other))),
    ratio: median(ratios),
    ratioRange: [Math.min(...ratios), Math.max(...ratios)],
  };
}

function known(sample: Sample, other: Sample): Sample {
  return {
    ...sample,
    backfillEvents: keepSharedKinds(other.backfillEvents, sample.backfillEvents),
    liveEvents: keepSharedKinds(other.liveEvents, sample.liveEvents),
  };
}

export function sumOf(counts: EventCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function perSecond(counts: EventCounts, milliseconds: number): number {
  return (1_000 * sumOf(counts)) / milliseconds;
}
