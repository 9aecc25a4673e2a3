import fc from "fast-check";
import { expect, test } from "vitest";
import { type Keys, sortByKeys } from "./sort-by-keys.ts";

const extremes = [0, 1, 2, 255, 65_535, 65_536, 2 ** 32 - 1, 2 ** 53, 1e18, 1e18 + 256, 1e300];
const float = fc.oneof(
  fc.constantFrom(...extremes),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
);
const integer = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
const single = fc.float({ min: 0, noNaN: true, noDefaultInfinity: true });
const byte = fc.nat(255);

function expectSorted(ids: Int32Array, keys: Keys[]): void {
  const before = [...ids];
  const expected = before.toSorted(
    (left, right) =>
      keys
        .map((key) => (key[left] as number) - (key[right] as number))
        .find((difference) => difference !== 0) ?? 0,
  );
  expect([...sortByKeys(ids, keys)]).toEqual(expected);
  expect([...ids]).toEqual(before);
}

// From 5,000 on, ids are sorted by the bits of their keys. Each test draws few values, so that many keys are equal.
test.each([0, 1, 300, 4_999, 5_000, 30_000])(
  "%i ids by each key in turn, and as they were where all are equal",
  (count) => {
    const values = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 500 });
    const chosen = fc.shuffledSubarray([0, 1, 2, 3, 4], { maxLength: 3 });
    const keys = fc.tuple(
      values(float),
      values(integer),
      values(float),
      values(single),
      values(byte),
      chosen,
    );
    fc.assert(
      fc.property(keys, fc.nat(), ([first, second, third, fourth, fifth, chosen], seed) => {
        const scattered = (index: number) => Math.imul(index + seed, 2_654_435_761) >>> 0;
        const of = (some: number[]) => (_: unknown, id: number) =>
          some[scattered(id) % some.length] as number;
        const length = count + 1;
        const all = [
          Float64Array.from({ length }, of(first)),
          Uint32Array.from({ length }, of(second)),
          Float64Array.from({ length }, of(third)),
          Float32Array.from({ length }, of(fourth)),
          Uint8Array.from({ length }, of(fifth)),
        ];
        const ids = Int32Array.from({ length: count }, (_, index) => count - index);
        expectSorted(
          ids,
          chosen.map((index) => all[index] as Keys),
        );
      }),
      { numRuns: count < 5_000 ? 50 : 10 },
    );
  },
);
