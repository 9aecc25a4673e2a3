import { addAmount, clampSigned, subtractAmount } from "./amounts.ts";

/** Bought tokens that are not sold yet, what they cost, and what sales have realised. Base units and wei. */
export type Result = {
  openTokens: bigint;
  openCost: bigint;
  /** Below 0 is a loss. */
  realisedBnb: bigint;
};

/** Buying adds to what is open, at its cost. */
export function bought(before: Result, bnbAmount: bigint, tokenAmount: bigint): Result {
  return {
    openTokens: addAmount(before.openTokens, tokenAmount),
    openCost: addAmount(before.openCost, bnbAmount),
    realisedBnb: before.realisedBnb,
  };
}

/**
 * Selling realises what it brings less the average cost of as many open tokens, rounded down. What is sold beyond
 * the open ones came by transfer and cost nothing.
 */
export function sold(before: Result, bnbAmount: bigint, tokenAmount: bigint): Result {
  const closed = tokenAmount < before.openTokens ? tokenAmount : before.openTokens;
  const cost = before.openTokens === 0n ? 0n : (before.openCost * closed) / before.openTokens;
  return {
    openTokens: subtractAmount(before.openTokens, closed),
    openCost: subtractAmount(before.openCost, cost),
    realisedBnb: clampSigned(before.realisedBnb + bnbAmount - cost),
  };
}
