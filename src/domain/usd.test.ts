import fc from "fast-check";
import { parseEther, parseUnits } from "viem";
import { expect, test } from "vitest";
import { maxUint256 } from "./amounts.ts";
import { toUsd } from "./price.ts";

test("wei become USD with 18 decimals", () => {
  expect(toUsd(parseEther("2"), parseUnits("654.32", 8))).toBe(parseEther("1308.64"));
  expect(toUsd(1n, parseUnits("0.5", 8))).toBe(0n);
});

test("is null without a rate", () => expect(toUsd(parseEther("2"), null)).toBeNull());

test("are rounded down, or the largest amount", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, maxUint256), fc.bigInt(1n, 2n ** 255n), (bnb, rate) => {
      const usd = toUsd(bnb, rate) ?? -1n;
      const exact = bnb * rate;
      if (usd === maxUint256) expect(exact >= maxUint256 * 10n ** 8n).toBe(true);
      else expect(usd * 10n ** 8n <= exact && (usd + 1n) * 10n ** 8n > exact).toBe(true);
    }),
  );
});
