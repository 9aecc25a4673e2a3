import fc from "fast-check";
import { expect, test } from "vitest";
import { toSixDigits } from "./price.ts";

test.each([
  ["0", "0"],
  ["0.000000000271946292147247411644642314", "0.000000000271946"],
  ["0.000000000000000000000000000000000001", "0.000000000000000000000000000000000001"],
  ["62.928315288501018054", "62.9283"],
  ["0.9999999", "1"],
  ["1234567.5", "1234570"],
  ["30", "30"],
])("%s is %s", (decimal, rounded) => expect(toSixDigits(decimal)).toBe(rounded));

test("any amount is a decimal of six digits at most, as near as those allow", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 24n), fc.bigInt(0n, 10n ** 36n - 1n), (whole, decimals) => {
      const decimal = `${whole}.${String(decimals).padStart(36, "0")}`;
      const rounded = toSixDigits(decimal);
      expect(rounded).toMatch(/^\d+(\.\d+)?$/);
      expect(rounded.replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length).toBeLessThanOrEqual(6);
      expect(Math.abs(Number(rounded) - Number(decimal))).toBeLessThanOrEqual(5.000_001e-6 * Number(decimal));
    }),
  );
});
