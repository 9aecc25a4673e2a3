import { differences } from "./checksums.ts";
import type { ContenderName } from "./contenders.ts";
import type { Sample } from "./sample.ts";

/** The tables of our sync compared with those of Ponder's own; undefined unless both were measured. */
export type Comparison = { tables: number; rows: number; differences: string[] } | undefined;

/** Compares every completed run of ours with a run of Ponder's on the same chain, whatever the endpoint. */
export function compareTables(samples: { contender: ContenderName; sample: Sample }[]): Comparison {
  const sumsOf = (name: ContenderName) =>
    samples.flatMap(({ contender, sample }) =>
      contender === name && sample.checksums !== undefined ? [sample.checksums] : [],
    );
  const [reference] = sumsOf("ponder");
  const ours = sumsOf("ours");
  if (reference === undefined || ours.length === 0) return undefined;
  const tables = Object.values(reference);
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    differences: [...new Set(ours.flatMap((sums) => differences(sums, reference)))],
  };
}
