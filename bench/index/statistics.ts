import { median } from "../quantile.ts";
import type { EventCounts, Sample } from "./measure.ts";

/** One round: both apps, measured one after the other. */
export type Round = { ours: Sample; bare: Sample };

export type Measure = {
  name: string;
  unit: "s" | "events/s" | "MiB";
  ours: number;
  bare: number;
  /** Medians of the rounds' ratios, and the smallest and the largest of them. Below 1 is faster, smaller. */
  ratio: number;
  ratioRange: [number, number];
  /** The largest ratio that is aimed at. */
  aim?: number;
};

type Definition = Pick<Measure, "name" | "unit" | "aim"> & { of: (sample: Sample) => number };

const definitions: Definition[] = [
  { name: "cold backfill", unit: "s", aim: 1.3, of: ({ cold }) => cold / 1_000 },
  { name: "warm backfill", unit: "s", aim: 2, of: ({ warm }) => warm / 1_000 },
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
  { name: "peak memory, cold", unit: "MiB", of: ({ coldMemory }) => coldMemory },
  { name: "peak memory, warm", unit: "MiB", of: ({ warmMemory }) => warmMemory },
  { name: "start-up", unit: "s", of: ({ startUp }) => startUp / 1_000 },
];

/** Each round gives a ratio, so that what slows the machine for a while slows both sides of it. */
export function summarize(rounds: Round[]): Measure[] {
  return definitions.map(({ of, ...definition }) => {
    const ratios = rounds.map(({ ours, bare }) => of(ours) / of(bare));
    return {
      ...definition,
      ours: median(rounds.map(({ ours }) => of(ours))),
      bare: median(rounds.map(({ bare }) => of(bare))),
      ratio: median(ratios),
      ratioRange: [Math.min(...ratios), Math.max(...ratios)],
    };
  });
}

export function sumOf(counts: EventCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function perSecond(counts: EventCounts, milliseconds: number): number {
  return (1_000 * sumOf(counts)) / milliseconds;
}
