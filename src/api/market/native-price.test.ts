import fc from "fast-check";
import { expect, test } from "vitest";
import { nativePrice } from "./price.ts";

test.each([
  [1n, 1n, "1"],
  [10n ** 17n, 9n * 10n ** 26n, `0.000000000${"1".repeat(41)}`],
  [1n, 10n ** 27n, `0.${"0".repeat(26)}1`],
  [3n * 10n ** 60n, 1n, `3${"0".repeat(60)}`],
  [0n, 1n, undefined],
  [1n, 0n, undefined],
  [1n, 2n ** 255n, undefined],
])("%s wei for %s base units: %s", (bnb, tokens, price) => expect(nativePrice(bnb, tokens)).toBe(price));

test("a price is never 0, nor written with an exponent", () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 256n });
  fc.assert(
    fc.property(amount, amount, (bnb, tokens) => {
      const price = nativePrice(bnb, tokens);
      if (price === undefined) return;
      expect(price).toMatch(/^\d+(\.\d{1,50})?$/);
      expect(price).toMatch(/[1-9]/);
    }),
  );
});
