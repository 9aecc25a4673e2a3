import { addAmount, clampSigned, subtractAmount } from "./amounts.ts";

/**
 * An account's tokens, what they cost, and what sales have realised. Tokens are in base units, the others in wei, or in USD with 18
 * decimals.
 */
export type Result = {
  /** Below 0 while an account has passed on, in a transaction, what becomes its own only later in it. */
  openTokensRaw: bigint;
  openCost: bigint;
  /** Below 0 is a loss. */
  realised: bigint;
};

/** Tokens that are bought or received add to the open position what they cost the account. Fewer than 0 leave it. */
export function addTokens(before: Result, cost: bigint, tokenAmountRaw: bigint): Result {
  return {
    openTokensRaw: clampSigned(before.openTokensRaw + tokenAmountRaw),
    openCost: addAmount(before.openCost, cost),
    realised: before.realised,
  };
}

/**
 * Tokens that are sold or sent take the average cost of the same number of open tokens with them, rounded down. Tokens beyond the
 * open ones cost nothing. Fewer than 0 come in, for nothing.
 */
export function removeTokens(before: Result, tokenAmountRaw: bigint): { after: Result; cost: bigint } {
  const closed = tokenAmountRaw < before.openTokensRaw ? tokenAmountRaw : before.openTokensRaw;
  const cost = closed <= 0n ? 0n : (before.openCost * closed) / before.openTokensRaw;
  return {
    after: {
      openTokensRaw: clampSigned(before.openTokensRaw - tokenAmountRaw),
      openCost: subtractAmount(before.openCost, cost),
      realised: before.realised,
    },
    cost,
  };
}

/** A sell realises its proceeds minus what its tokens cost. */
export function applySell(before: Result, received: bigint, tokenAmountRaw: bigint): Result {
  const { after, cost } = removeTokens(before, tokenAmountRaw);
  return { ...after, realised: clampSigned(before.realised + received - cost) };
}
