import fc from "fast-check";
import { parseEther } from "viem";
import { expect, test } from "vitest";
import { maxUint256 } from "./amounts.ts";
import { graduationReserves } from "./price.ts";

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
