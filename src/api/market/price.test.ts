import fc from "fast-check";
import { expect, test } from "vitest";
import {
  floorPercent,
  formatPrice,
  formatRate,
  marketCapBnb,
  marketCapInUsd,
  nativePrice,
  priceInUsd,
  toSixDigits,
} from "./price.ts";

test.each([
  ["0", "0"],
  ["1", "0.000000000000000000000000000000000001"],
  ["160000000000000000000000000", "0.00000000016"],
  [`1${"0".repeat(36)}`, "1"],
  [`9${"9".repeat(77)}`, `${"9".repeat(42)}.${"9".repeat(36)}`],
])("a price of %s is %s BNB", (price, shown) => expect(formatPrice(price)).toBe(shown));

test.each([
  ["0", "0", "0"],
  ["160000000000000000000000000", String(500_000_000n * 10n ** 18n), "0.08"],
  ["1", "1", "0"],
  [String(10n ** 36n), "1", "0.000000000000000001"],
])("at a price of %s a supply of %s is worth %s BNB", (price, supply, shown) => {
  expect(marketCapBnb(price, supply)).toBe(shown);
});

test("in USD, at a rate with 8 decimals, rounded down", () => {
  const supply = String(500_000_000n * 10n ** 18n);
  const [price, rate] = ["160000000000000000000000000", "61234567890"];
  expect(priceInUsd(price, rate)).toEqual({ priceUsd: "0.000000097975308624" });
  expect(marketCapInUsd(price, supply, rate)).toEqual({ marketCapUsd: "48.987654312" });
  expect(marketCapInUsd(String(10n ** 36n), "1", "99999999")).toEqual({ marketCapUsd: "0" });
  expect([priceInUsd(price, null), marketCapInUsd(price, supply, null)]).toEqual([{}, {}]);
  expect(formatRate("61234567890")).toBe("612.3456789");
});

test("percent is rounded down to 4 decimals, and never more than the whole", () => {
  expect([floorPercent(1n, 3n), floorPercent(2n, 3n), floorPercent(1n, 10n ** 30n)]).toEqual([
    33.3333, 66.6666, 0,
  ]);
  expect([floorPercent(0n, 0n), floorPercent(5n, 0n)]).toEqual([0, 0]);
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 2n ** 256n }),
      fc.bigInt({ min: 0n, max: 2n ** 256n }),
      (total, part) => {
        const percent = floorPercent(part % (total + 1n), total);
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
        expect(String(percent)).toMatch(/^\d+(\.\d{1,4})?$|^\d(\.\d+)?e-\d+$/);
      },
    ),
  );
  expect(floorPercent(7n, 7n)).toBe(100);
});

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
