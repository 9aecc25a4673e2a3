import fc from "fast-check";
import { parseEther } from "viem";
import { expect, test } from "vitest";
import { maxUint256 } from "./amounts.ts";
import { priceBnbX36, valueAt } from "./price.ts";

test("is BNB per token with 36 decimals", () => {
  expect(priceBnbX36(parseEther("1"), parseEther("1"))).toBe(10n ** 36n);
  expect(priceBnbX36(parseEther("0.1"), parseEther("1000000000"))).toBe(10n ** 26n);
});

test("is 0 without tokens", () => {
  expect(priceBnbX36(parseEther("1"), 0n)).toBe(0n);
});

test("is the ratio rounded down, or the largest amount", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, maxUint256), fc.bigInt(1n, maxUint256), (bnb, tokens) => {
      const price = priceBnbX36(bnb, tokens);
      const scaled = bnb * 10n ** 36n;
      if (price === maxUint256) expect(scaled >= maxUint256 * tokens).toBe(true);
      else expect(price * tokens <= scaled && (price + 1n) * tokens > scaled).toBe(true);
    }),
  );
});

test("the value of tokens is rounded down", () => {
  expect(valueAt(priceBnbX36(parseEther("2"), parseEther("3")), parseEther("3"))).toBe(parseEther("2") - 1n);
  expect(valueAt(10n ** 36n, 5n)).toBe(5n);
});
