import { median } from "./report.ts";

export type Rounds<Name extends string, Sample> = Awaited<ReturnType<typeof measureInTurn<Name, Sample>>>;

/**
 * Measures what is compared, one after the other in each round. Each round begins with another one, since later runs have a warmer
 * machine.
 */
export async function measureInTurn<Name extends string, Sample>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name, round: number) => Promise<Sample>,
) {
  const samples = new Map(names.map((name): [Name, Sample[]] => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    const first = (round - 1) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      samples.get(name)?.push(await measure(name, round));
    }
  }
  /** All samples of one of them, in the order of the rounds. */
  const of = (name: Name): Sample[] => samples.get(name) ?? [];
  return {
    of,
    median: (name: Name, value: (sample: Sample) => number): number => median(of(name).map(value)),
    /** The ratio of one to another in each round: a temporarily slow machine slows down both sides of it. */
    ratios(name: Name, other: Name, value: (sample: Sample) => number): number[] {
      const others = of(other);
      return of(name).map((sample, round) => value(sample) / value(others[round] as Sample));
    },
  };
}
