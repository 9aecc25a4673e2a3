import fc from "fast-check";
import { expect, test } from "vitest";
import { withMore, without } from "./sorted-ids.ts";

const descending = (left: number, right: number) => right - left;
const someIds = fc.uniqueArray(fc.nat(60), { maxLength: 40 });

test("few are taken out of many and put back in their places", () => {
  fc.assert(
    fc.property(someIds, someIds, (all, few) => {
      const ids = Int32Array.from(all).sort(descending);
      const left = without(ids, few);
      expect([...left]).toEqual([...ids].filter((id) => !few.includes(id)));
      const taken = few.filter((id) => all.includes(id));
      expect([...withMore(left, taken, descending)]).toEqual([...ids]);
    }),
  );
});

test("where there is nothing to do the array stays the same", () => {
  const ids = Int32Array.of(9, 5, 2);
  expect(without(ids, [3, 4])).toBe(ids);
  expect(without(ids, [10, 11, 12, 13, 14, 15, 16, 17, 18, 19])).toBe(ids);
  expect(withMore(ids, [], descending)).toBe(ids);
});
