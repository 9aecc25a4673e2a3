import fc from "fast-check";
import { expect, test } from "vitest";
import { nextPrice } from "./price-feed.ts";
import { createRandom } from "./random.ts";

function walk(seed: number, steps: number, from = 600): number[] {
  const random = createRandom(seed);
  const prices = [from];
  for (let step = 0; step < steps; step++) prices.push(nextPrice(prices.at(-1) as number, random));
  return prices;
}

test("the same seed gives the same prices, another seed different ones", () => {
  expect(walk(1, 100)).toEqual(walk(1, 100));
  expect(walk(1, 100)).not.toEqual(walk(2, 100));
});

test("from any start, the price stays within its bounds and reverts to 600 USD", () => {
  fc.assert(
    fc.property(fc.integer(), fc.double({ min: 1, max: 100_000, noNaN: true }), (seed, from) => {
      const prices = walk(seed, 2_000, from).slice(1);
      // One expectation for all prices, since one for each of 100,000 would take a second.
      expect(Math.min(...prices)).toBeGreaterThanOrEqual(400);
      expect(Math.max(...prices)).toBeLessThanOrEqual(900);
      const later = prices.slice(1_000);
      const mean = later.reduce((sum, price) => sum + price, 0) / later.length;
      expect(Math.abs(mean - 600)).toBeLessThan(60);
    }),
    { numRuns: 50 },
  );
});

test("every answer changes the price a little", () => {
  const prices = walk(7, 1_000);
  for (const [index, price] of prices.slice(1).entries()) {
    const before = prices[index] as number;
    expect(price).not.toBe(before);
    expect(Math.abs(price / before - 1)).toBeLessThan(0.03);
  }
});
