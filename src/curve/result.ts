import { addAmount, clampSigned, subtractAmount } from "./amounts.ts";

/**
 * Bought tokens that are not sold yet, their cost, and what sales have realised. Tokens are in base units, the others in
 * wei, or in USD with 18 decimals.
 */
export type Result = {
  openTokensRaw: bigint;
  openCost: bigint;
  /** Below 0 is a loss. */
  realised: bigint;
};

/** A buy adds its tokens and its cost to the open position. */
export function applyBuy(before: Result, paid: bigint, tokenAmountRaw: bigint): Result {
  return {
    openTokensRaw: addAmount(before.openTokensRaw, tokenAmountRaw),
    openCost: addAmount(before.openCost, paid),
    realised: before.realised,
  };
}

/**
 * A sell realises its proceeds minus the average cost of the same number of open tokens, rounded down. Tokens sold beyond the open
 * ones were received by transfer and cost nothing.
 */
export function applySell(before: Result, received: bigint, tokenAmountRaw: bigint): Result {
  const closed = tokenAmountRaw < before.openTokensRaw ? tokenAmountRaw : before.openTokensRaw;
  const cost = before.openTokensRaw === 0n ? 0n : (before.openCost * closed) / before.openTokensRaw;
  return {
    openTokensRaw: subtractAmount(before.openTokensRaw, closed),
    openCost: subtractAmount(before.openCost, cost),
    realised: clampSigned(before.realised + received - cost),
  };
}
