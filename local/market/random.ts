import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A seeded random source: the same seed gives the same market. */
export type Random = ReturnType<typeof createRandom>;

export function createRandom(seed: number) {
  const generator = xoroshiro128plus(seed);
  const integer = (minimum: number, maximum: number) => uniformInt(generator, minimum, maximum);
  const fraction = () => integer(0, 2 ** 32 - 1) / 2 ** 32;
  return {
    /** An integer from `minimum` to `maximum`, inclusive. */
    integer,
    /** A number from 0 (inclusive) to 1 (exclusive). */
    fraction,
    chance: (probability: number) => fraction() < probability,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error("nothing to pick from");
      return items[integer(0, items.length - 1)] as Item;
    },
    /** A log-normal number: mostly close to `median`, occasionally a multiple of it. */
    around(median: number, spread: number): number {
      const normal = Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
      return median * Math.exp(spread * normal);
    },
  };
}
