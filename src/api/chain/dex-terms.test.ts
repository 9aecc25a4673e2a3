import fc from "fast-check";
import { expect, test } from "vitest";
import { getAmountOut } from "../../domain/quote.ts";
import { inferFee, probes } from "./dex-terms.ts";

type Formula = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint) => bigint;

const answersOf = (formula: Formula) => probes.map((probe) => formula(...probe));
const withFee =
  (kept: bigint, scale: bigint): Formula =>
  (amountIn, reserveIn, reserveOut) =>
    (amountIn * kept * reserveOut) / (reserveIn * scale + amountIn * kept);

test.each([
  ["Uniswap V2", 997n, 1_000n, 3_000n],
  ["PancakeSwap V2", 9_975n, 10_000n, 2_500n],
  ["PancakeSwap V1", 998n, 1_000n, 2_000n],
  ["a DEX without a fee", 1n, 1n, 0n],
])("%s", (_, kept, scale, fee) => expect(inferFee(answersOf(withFee(kept, scale)))).toBe(fee));

test("any fee in millionths is inferred from the answers", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 999_999n), (fee) => {
      expect(inferFee(answersOf((...probe) => getAmountOut(...probe, fee)))).toBe(fee);
    }),
  );
});

test("answers of another formula are not mistaken for a fee", () => {
  const pancake = withFee(9_975n, 10_000n);
  expect(inferFee(answersOf((...probe) => pancake(...probe) + 1n))).toBeNull();
  expect(inferFee(answersOf((amountIn) => amountIn))).toBeNull();
  expect(inferFee(answersOf(() => 0n))).toBeNull();
  expect(inferFee(answersOf(() => 2n ** 256n - 1n))).toBeNull();
  expect(inferFee(answersOf((_, reserveIn, reserveOut) => reserveOut - reserveIn))).toBeNull();
  // A third of a millionth.
  expect(inferFee(answersOf(withFee(2_999_999n, 3_000_000n)))).toBeNull();
});
