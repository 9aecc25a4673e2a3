import { clamp } from "./amounts.ts";

/** A price of 1: prices have 36 decimals. */
export const priceScale = 10n ** 36n;

/**
 * Returns BNB per token with 36 decimals, rounded down, from wei and base units (both have 18 decimals, so the ratio of the
 * integers is the price). 0 if there are no tokens to divide by.
 *
 * On the curve the spot price is virtualBnbReserves / virtualTokenReserves, on a pair bnbReservesWei /
 * tokenReservesRaw: the constant product formula x * y = k, whose marginal price is x / y.
 */
export function priceBnbX36(bnbAmountWei: bigint, tokenAmountRaw: bigint): bigint {
  if (tokenAmountRaw <= 0n) return 0n;
  return clamp((bnbAmountWei * priceScale) / tokenAmountRaw);
}

/** Returns the value of tokens at a price with 36 decimals, rounded down: wei for base units. */
export function valueAt(priceX36: bigint, tokens: bigint): bigint {
  return (priceX36 * tokens) / priceScale;
}
