import fc from "fast-check";
import { expect, test } from "vitest";
import { formatIds, parseIds } from "./columns.ts";

test("ids survive formatting and parsing", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 31 - 1), { minLength: 1 }), (ids) => {
      expect([...parseIds(ids.join(","))]).toEqual(ids);
      expect(formatIds(Int32Array.from(ids))).toBe(`{${ids.join(",")}}`);
    }),
  );
});

test.each([null, undefined, ""])("%j has no ids", (text) => {
  expect([...parseIds(text)]).toEqual([]);
});
