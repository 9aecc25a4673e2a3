import fc from "fast-check";
import { parseEther, parseUnits } from "viem";
import { expect, test } from "vitest";
import { maxUint256 } from "./amounts.ts";
import { curveProgress, graduationReserves, priceBnbX36, toUsd, valueAt } from "./price.ts";

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

test("a curve of 0.1 BNB that sells a third of its virtual tokens graduates at 0.15 BNB", () => {
  for (const burnPercent of [30n, 50n, 70n]) {
    const kept = (10n ** 27n * (100n - burnPercent)) / 100n;
    const reserves = graduationReserves(parseEther("0.1"), (kept * 9n) / 5n, (kept * 3n) / 5n);
    expect(reserves).toBe(parseEther("0.15"));
  }
});

test("a curve that has fewer tokens than it would sell is never sold out", () => {
  expect(graduationReserves(5n, 7n, 7n)).toBe(0n);
  expect(graduationReserves(5n, 7n, 8n)).toBe(0n);
});

test("is the least BNB that keeps x * y = k once the last token is sold", () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 2n ** 112n),
      fc.bigInt(1n, 2n ** 112n),
      fc.bigInt(0n, 2n ** 112n),
      (bnb, tokens, toSell) => {
        fc.pre(toSell < tokens);
        const product = bnb * tokens;
        const after = graduationReserves(bnb, tokens, toSell);
        expect(after * (tokens - toSell) >= product).toBe(true);
        expect((after - 1n) * (tokens - toSell) < product).toBe(true);
        expect(after >= bnb).toBe(true);
      },
    ),
  );
});

test("stays within what a column can hold, whatever a contract says", () => {
  const uint256 = fc.bigInt(0n, maxUint256);
  fc.assert(
    fc.property(uint256, uint256, uint256, (bnb, tokens, toSell) => {
      const reserves = graduationReserves(bnb, tokens, toSell);
      expect(reserves >= 0n && reserves <= maxUint256).toBe(true);
    }),
  );
});

test("is the percentage that is sold, rounded down to 4 decimals", () => {
  expect(curveProgress(0n, 300n, false)).toBe(0);
  expect(curveProgress(1n, 3n, false)).toBe(33.3333);
  expect(curveProgress(2n, 3n, false)).toBe(66.6666);
});

test("is 100 when and only when the token has graduated", () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 30n),
      fc.bigInt(0n, 10n ** 30n),
      fc.boolean(),
      (sold, total, graduated) => {
        const progress = curveProgress(sold, total, graduated);
        expect(progress === 100).toBe(graduated);
        expect(progress >= 0 && progress <= 100).toBe(true);
        expect(progress).toBe(Number(progress.toFixed(4)));
      },
    ),
  );
});

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
