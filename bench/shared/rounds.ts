import { median } from "./report.ts";

export type Rounds<Item, Sample> = Awaited<ReturnType<typeof measureInTurn<Item, Sample>>>;

/**
 * Measures what is compared, one after the other in each round. Each round begins with another one, since later runs have a warmer
 * machine.
 */
export async function measureInTurn<const Item, Sample>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item, round: number) => Promise<Sample>,
) {
  const samples = new Map(items.map((item): [Item, Sample[]] => [item, []]));
  for (let round = 1; round <= rounds; round++) {
    const first = (round - 1) % items.length;
    for (const item of [...items.slice(first), ...items.slice(0, first)]) {
      samples.get(item)?.push(await measure(item, round));
    }
  }
  /** All samples of one of them, in the order of the rounds. */
  const of = (item: Item): Sample[] => samples.get(item) ?? [];
  return {
    of,
    median: (item: Item, value: (sample: Sample) => number): number => median(of(item).map(value)),
    /** The ratio of one to another in each round: a temporarily slow machine slows down both sides of it. */
    ratios(item: Item, other: Item, value: (sample: Sample) => number): number[] {
      const others = of(other);
      return of(item).map((sample, round) => value(sample) / value(others[round] as Sample));
    },
  };
}
