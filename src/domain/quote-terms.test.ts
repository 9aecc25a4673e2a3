import fc from "fast-check";
import { expect, test } from "vitest";
import { minAmountOut, priceImpactPercent, quoteOnPair, type Side, tradePrices } from "./quote.ts";

const reserve = fc.bigInt(10n ** 20n, 10n ** 30n);
const fee = fc.constantFrom(0n, 2_500n, 3_000n);
const side = fc.constantFrom<Side[]>("buy", "sell");

function swapOf(
  bnbReservesWei: bigint,
  tokenReservesRaw: bigint,
  of: { side: Side; amountIn: bigint; fee: bigint },
) {
  const before = { bnbReservesWei, tokenReservesRaw };
  const swap = quoteOnPair({ ...before, fee: of.fee, tokensOutside: 2n ** 112n }, of.side, of.amountIn);
  if (typeof swap === "string") throw new Error(swap);
  return { before, swap };
}

test("a trade that is a share of the reserve loses that share, whatever the fee", () => {
  const { before, swap } = swapOf(10n ** 20n, 10n ** 24n, { side: "buy", amountIn: 10n ** 20n, fee: 0n });
  expect(priceImpactPercent(before, swap, { side: "buy", amountIn: 10n ** 20n, fee: 0n })).toBe(50);
  fc.assert(
    fc.property(
      reserve,
      reserve,
      side,
      fee,
      fc.integer({ min: 1, max: 1_000 }),
      (bnb, tokens, side, fee, share) => {
        const reserveIn = side === "buy" ? bnb : tokens;
        const amountIn = (reserveIn * BigInt(share)) / 1_000n;
        const { before, swap } = swapOf(bnb, tokens, { side, amountIn, fee });
        const paid = Number(amountIn) * (1 - Number(fee) / 1e6);
        const expected = (100 * paid) / (Number(reserveIn) + paid);
        const found = priceImpactPercent(before, swap, { side, amountIn, fee });
        expect(Math.abs(found - expected)).toBeLessThan(0.0002);
      },
    ),
  );
});

test("the last wei of a curve, which also buys all the rounding dust, has no impact", () => {
  const before = { bnbReservesWei: 100n, tokenReservesRaw: 1_000n };
  const swap = { amountOut: 50n, refund: 7n, graduates: true, bnbReservesWei: 101n, tokenReservesRaw: 950n };
  expect(priceImpactPercent(before, swap, { side: "buy", amountIn: 8n, fee: 0n })).toBe(0);
});

test("a buy costs more on average than the price before it, and less than the one after it; a sell the reverse", () => {
  fc.assert(
    fc.property(reserve, reserve, side, fc.integer({ min: 1, max: 3_000 }), (bnb, tokens, side, share) => {
      const amountIn = ((side === "buy" ? bnb : tokens) * BigInt(share)) / 1_000n;
      const { before, swap } = swapOf(bnb, tokens, { side, amountIn, fee: 0n });
      const { beforeBnbX36, averageBnbX36, afterBnbX36 } = tradePrices(before, swap, side, amountIn);
      const [low, high] = side === "buy" ? [beforeBnbX36, afterBnbX36] : [afterBnbX36, beforeBnbX36];
      expect(averageBnbX36).toBeGreaterThanOrEqual(low);
      expect(averageBnbX36).toBeLessThanOrEqual(high);
    }),
  );
});

test("the average price excludes the refund", () => {
  const before = { bnbReservesWei: 100n, tokenReservesRaw: 1_000n };
  const swap = {
    amountOut: 500n,
    refund: 900n,
    graduates: true,
    bnbReservesWei: 200n,
    tokenReservesRaw: 500n,
  };
  expect(tradePrices(before, swap, "buy", 1_000n).averageBnbX36).toBe(2n * 10n ** 35n);
});

test("the limit is the amount less slippage, rounded up", () => {
  expect([minAmountOut(1_000n, 0), minAmountOut(1_000n, 100), minAmountOut(1_001n, 1)]).toEqual([
    1_000n,
    990n,
    1_001n,
  ]);
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 256n), fc.integer({ min: 0, max: 5_000 }), (amountOut, slippage) => {
      const limit = minAmountOut(amountOut, slippage);
      expect(limit > 0n && limit <= amountOut).toBe(true);
      const exact = amountOut * BigInt(10_000 - slippage);
      expect(limit * 10_000n >= exact && (limit - 1n) * 10_000n < exact).toBe(true);
    }),
  );
});
