import { addAmount, clampSigned, subtractAmount } from "./amounts.ts";

/**
 * Bought tokens that are not sold yet, what they cost, and what sales have realised. Base units; wei, or USD with 18
 * decimals.
 */
export type Result = {
  openTokens: bigint;
  openCost: bigint;
  /** Below 0 is a loss. */
  realised: bigint;
};

/** A buy adds its tokens and its cost to the open position. */
export function bought(before: Result, paid: bigint, tokenAmount: bigint): Result {
  return {
    openTokens: addAmount(before.openTokens, tokenAmount),
    openCost: addAmount(before.openCost, paid),
    realised: before.realised,
  };
}

/**
 * A sell realises its proceeds minus the average cost of as many open tokens, rounded down. Tokens sold beyond the open
 * ones were received by transfer and cost nothing.
 */
export function sold(before: Result, received: bigint, tokenAmount: bigint): Result {
  const closed = tokenAmount < before.openTokens ? tokenAmount : before.openTokens;
  const cost = before.openTokens === 0n ? 0n : (before.openCost * closed) / before.openTokens;
  return {
    openTokens: subtractAmount(before.openTokens, closed),
    openCost: subtractAmount(before.openCost, cost),
    realised: clampSigned(before.realised + received - cost),
  };
}
