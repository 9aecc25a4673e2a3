import fc from "fast-check";
import { parseEther } from "viem";
import { expect, test } from "vitest";
import { maxUint256 } from "./amounts.ts";
import { graduationReserves } from "./price.ts";
import {
  type CurveState,
  getAmountOut,
  maxAmountIn,
  maxPairReserve,
  type PairState,
  quoteOnCurve,
  quoteOnPair,
  type Side,
  type Swap,
} from "./quote.ts";

const startBnb = parseEther("0.1");
const endBnb = parseEther("0.15");

/** A curve as the launchpad opens it. */
function opened(burnPercent: number): CurveState {
  const remaining = (parseEther("1000000000") * BigInt(100 - burnPercent)) / 100n;
  const [tokenReservesRaw, totalToSell] = [(remaining * 9n) / 5n, (remaining * 3n) / 5n];
  return {
    bnbReservesWei: startBnb,
    tokenReservesRaw,
    tokensSold: 0n,
    totalToSell,
    graduationBnbReservesWei: graduationReserves(startBnb, tokenReservesRaw, totalToSell),
  };
}

function expectSwap(found: ReturnType<typeof quoteOnCurve>): Swap {
  if (typeof found === "string") throw new Error(found);
  return found;
}

function after(curve: CurveState, side: Side, amountIn: bigint, swap: Swap): CurveState {
  const { bnbReservesWei, tokenReservesRaw, amountOut } = swap;
  const tokensSold = curve.tokensSold + (side === "buy" ? amountOut : -amountIn);
  return { ...curve, bnbReservesWei, tokenReservesRaw, tokensSold };
}

const anyWei = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, parseEther("0.04")));
const anySide = fc.constantFrom<Side[]>("buy", "sell");

/** Curves after random trades, short of graduation. */
const anyCurve = fc
  .tuple(
    fc.integer({ min: 30, max: 70 }),
    fc.array(fc.tuple(anySide, anyWei, fc.bigInt(1n, 1_000_000n)), { maxLength: 12 }),
  )
  .map(([burnPercent, trades]) =>
    trades.reduce((curve, [side, wei, millionths]) => {
      const amountIn = side === "buy" ? wei : (curve.tokensSold * millionths) / 1_000_000n;
      const swap = amountIn === 0n ? "too_small" : quoteOnCurve(curve, side, amountIn);
      return typeof swap === "string" || swap.graduates ? curve : after(curve, side, amountIn, swap);
    }, opened(burnPercent)),
  );

test("the curve stays consistent, whatever is traded", () => {
  fc.assert(
    fc.property(anyCurve, (curve) => {
      const start = curve.graduationBnbReservesWei;
      expect(start).toBe(endBnb);
      expect(curve.bnbReservesWei).toBeLessThan(endBnb);
      const left = curve.totalToSell - curve.tokensSold;
      expect(left).toBeGreaterThan(0n);
      expect(curve.tokenReservesRaw - left).toBe(curve.totalToSell * 2n);
    }),
  );
});

test("a buy is paid for in full: only at the end of the curve is the excess refunded", () => {
  fc.assert(
    fc.property(anyCurve, fc.oneof(anyWei, fc.bigInt(1n, maxUint256)), (curve, amountIn) => {
      const swap = expectSwap(quoteOnCurve(curve, "buy", amountIn));
      expect(curve.bnbReservesWei + amountIn - swap.refund).toBe(swap.bnbReservesWei);
      expect(curve.tokenReservesRaw - swap.amountOut).toBe(swap.tokenReservesRaw);
      expect(swap.graduates).toBe(curve.bnbReservesWei + amountIn >= endBnb);
      if (swap.graduates) {
        expect(swap.bnbReservesWei).toBe(endBnb);
        expect(swap.amountOut).toBe(curve.totalToSell - curve.tokensSold);
      } else {
        expect(swap.refund).toBe(0n);
        expect(swap.amountOut).toBe((curve.tokenReservesRaw * amountIn) / (curve.bnbReservesWei + amountIn));
      }
    }),
  );
});

test("the wei that graduates is the one that reaches the end", () => {
  fc.assert(
    fc.property(anyCurve, (curve) => {
      const cost = endBnb - curve.bnbReservesWei;
      expect(quoteOnCurve(curve, "buy", cost)).toMatchObject({ graduates: true, refund: 0n });
      expect(quoteOnCurve(curve, "buy", cost + 1n)).toMatchObject({ graduates: true, refund: 1n });
      if (cost > 1n) expect(quoteOnCurve(curve, "buy", cost - 1n)).toMatchObject({ graduates: false });
    }),
  );
});

test("selling back what was bought, at once or in parts, brings no more than it cost", () => {
  fc.assert(
    fc.property(anyCurve, anyWei, fc.bigInt(0n, 1_000n), (curve, wei, part) => {
      const bought = expectSwap(quoteOnCurve(curve, "buy", wei));
      fc.pre(!bought.graduates);
      const first = (bought.amountOut * part) / 1_000n;
      let at = after(curve, "buy", wei, bought);
      let brought = 0n;
      for (const amountIn of [first, bought.amountOut - first]) {
        const swap = amountIn === 0n ? "too_small" : quoteOnCurve(at, "sell", amountIn);
        if (typeof swap === "string") continue;
        brought += swap.amountOut;
        at = after(at, "sell", amountIn, swap);
      }
      expect(brought).toBeLessThanOrEqual(wei);
    }),
  );
});

test("a sell of more than was ever sold is refused, and so is one that brings less than a wei", () => {
  fc.assert(
    fc.property(anyCurve, fc.bigInt(1n, maxUint256), (curve, more) => {
      expect(quoteOnCurve(curve, "sell", curve.tokensSold + more)).toBe("too_large");
      if (curve.tokensSold > 0n) expect(quoteOnCurve(curve, "sell", 1n)).toBe("too_small");
    }),
  );
});

test("a curve that no honest launchpad has doesn't cause a failure", () => {
  const uint256 = fc.oneof(fc.constantFrom(0n, 1n, maxUint256), fc.bigInt(0n, maxUint256));
  const hostile = fc.record({
    bnbReservesWei: uint256,
    tokenReservesRaw: uint256,
    tokensSold: uint256,
    totalToSell: uint256,
    graduationBnbReservesWei: uint256,
  });
  fc.assert(
    fc.property(hostile, anySide, fc.bigInt(1n, maxUint256), (curve, side, amountIn) => {
      const swap = quoteOnCurve(curve, side, amountIn);
      if (typeof swap === "string") return;
      expect(swap.amountOut).toBeGreaterThan(0n);
      for (const amount of [swap.refund, swap.bnbReservesWei, swap.tokenReservesRaw]) {
        expect(amount).toBeGreaterThanOrEqual(0n);
      }
    }),
  );
  const nothing = { ...opened(50), bnbReservesWei: 0n };
  expect(quoteOnCurve(nothing, "buy", 1n)).toBe("no_liquidity");
  const soldOut = { ...opened(50), bnbReservesWei: endBnb };
  expect(quoteOnCurve(soldOut, "buy", 1n)).toBe("no_liquidity");
});

const reserve = fc.bigInt(1n, maxPairReserve);
const anyPair: fc.Arbitrary<PairState> = fc.record({
  bnbReservesWei: reserve,
  tokenReservesRaw: reserve,
  tokensOutside: fc.bigInt(0n, maxPairReserve),
  fee: fc.constantFrom(2_500n, 3_000n),
});

test("the formula is that of Uniswap V2 with 3,000, and that of PancakeSwap V2 with 2,500", () => {
  fc.assert(
    fc.property(reserve, reserve, reserve, (amountIn, reserveIn, reserveOut) => {
      const formula = (kept: bigint, scale: bigint) =>
        (amountIn * kept * reserveOut) / (reserveIn * scale + amountIn * kept);
      expect(getAmountOut(amountIn, reserveIn, reserveOut, 3_000n)).toBe(formula(997n, 1_000n));
      expect(getAmountOut(amountIn, reserveIn, reserveOut, 2_500n)).toBe(formula(9_975n, 10_000n));
    }),
  );
});

test("a pair gives less than it has, and its product never falls", () => {
  fc.assert(
    fc.property(anyPair, anySide, reserve, (pair, side, amountIn) => {
      const swap = quoteOnPair(pair, side, amountIn);
      if (amountIn > maxAmountIn(pair, side)) expect(swap).toBe("too_large");
      if (typeof swap === "string") return;
      expect(swap).toMatchObject({ refund: 0n, graduates: false });
      const k = pair.bnbReservesWei * pair.tokenReservesRaw;
      expect(swap.bnbReservesWei * swap.tokenReservesRaw).toBeGreaterThanOrEqual(k);
      for (const left of [swap.bnbReservesWei, swap.tokenReservesRaw]) {
        expect(left > 0n && left <= maxPairReserve).toBe(true);
      }
    }),
  );
});

test("a pair takes no more than it can count, and no more tokens than exist outside of it", () => {
  const pair = { bnbReservesWei: 5n, tokenReservesRaw: 7n, fee: 2_500n, tokensOutside: 100n };
  expect(maxAmountIn(pair, "sell")).toBe(100n);
  expect(maxAmountIn(pair, "buy")).toBe(maxPairReserve - 5n);
  expect(quoteOnPair(pair, "sell", 101n)).toBe("too_large");
  expect(quoteOnPair(pair, "buy", maxPairReserve - 4n)).toBe("too_large");
  expect(typeof quoteOnPair(pair, "buy", maxPairReserve - 5n)).toBe("object");
});

test("an empty pair has no liquidity", () => {
  const pair = { bnbReservesWei: 1n, tokenReservesRaw: 1n, fee: 2_500n, tokensOutside: 100n };
  expect(quoteOnPair({ ...pair, bnbReservesWei: 0n }, "buy", 1n)).toBe("no_liquidity");
  expect(quoteOnPair({ ...pair, tokenReservesRaw: 0n }, "sell", 1n)).toBe("no_liquidity");
  expect(quoteOnPair(pair, "sell", 1n)).toBe("too_small");
});
