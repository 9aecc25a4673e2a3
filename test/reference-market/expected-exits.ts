import type { Address } from "viem";
import type { Market, ObservedTrade } from "./observed-trades.ts";

/** Returns a function that computes what selling base units of a token would bring, in wei, after Uniswap V2's fee of 0.3 %. */
export function createExitCalculator({ curves, trades }: Market): (token: Address, tokens: bigint) => bigint {
  const lastOnCurve = new Map<Address, ObservedTrade>();
  for (const trade of trades) if (trade.venue === "curve") lastOnCurve.set(trade.token, trade);

  return (token, tokens) => {
    const curve = curves.get(token);
    if (curve === undefined) return 0n;
    const { opened, graduation } = curve;
    if (graduation !== undefined) {
      const { bnbLiquidity, tokenLiquidity } = graduation;
      const { bnb, tokens: pooled } = curve.dexReserves ?? { bnb: bnbLiquidity, tokens: tokenLiquidity };
      return (tokens * 997n * bnb) / (pooled * 1_000n + tokens * 997n);
    }
    const last = lastOnCurve.get(token);
    const bnb = last?.bnbReserves ?? opened.bnb;
    const unsold = last?.tokenReserves ?? opened.tokens;
    // Nobody can sell more to the curve than it has sold.
    const taken = atMost(tokens, opened.tokens - unsold);
    return (taken * bnb) / (unsold + taken);
  };
}

function atMost(amount: bigint, limit: bigint): bigint {
  if (amount > limit) return limit;
  return amount;
}
