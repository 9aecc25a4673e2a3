import fc from "fast-check";
import { expect, test } from "vitest";
import { without } from "./id-lists.ts";

const someIds = fc.uniqueArray(fc.nat(60), { maxLength: 40 });

test("a few ids are removed from many", () => {
  fc.assert(
    fc.property(someIds, someIds, (all, few) => {
      expect([...without(Int32Array.from(all), few)]).toEqual(all.filter((id) => !few.includes(id)));
    }),
  );
});

test("if there is nothing to remove, the same array is returned", () => {
  const ids = Int32Array.of(9, 5, 2);
  expect(without(ids, [3, 4])).toBe(ids);
  expect(without(ids, [10, 11, 12, 13, 14, 15, 16, 17, 18, 19])).toBe(ids);
});
