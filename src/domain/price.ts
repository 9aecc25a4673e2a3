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

/**
 * Returns the percentage of `totalToSell` that is sold, rounded down to 4 decimals: 0 to 100. It is 100 if and only if
 * the token has graduated, whatever the amounts say.
 *
 * @param tokensSold base units sold on the curve
 * @param totalToSell base units that the curve offers in all
 */
export function curveProgress(tokensSold: bigint, totalToSell: bigint, graduated: boolean): number {
  if (graduated) return 100;
  if (totalToSell <= 0n || tokensSold <= 0n) return 0;
  const tenThousandths = (tokensSold * 1_000_000n) / totalToSell;
  return tenThousandths >= 1_000_000n ? 99.9999 : Number(tenThousandths) / 10_000;
}

/**
 * Returns the virtual BNB reserves, in wei, at which a curve sells its last token: by x * y = k, those that match token
 * reserves of virtualTokenReserves - totalToSell, rounded up in favour of the pool as in the contract. 0 if the curve can
 * never be sold out.
 */
export function graduationReserves(
  virtualBnbReserves: bigint,
  virtualTokenReserves: bigint,
  totalToSell: bigint,
): bigint {
  const left = virtualTokenReserves - totalToSell;
  if (left <= 0n) return 0n;
  return clamp((virtualBnbReserves * virtualTokenReserves + left - 1n) / left);
}

const answerScale = 10n ** 8n;

/**
 * Converts BNB to USD at the same scale (wei to USD with 18 decimals), rounded down; null without a rate.
 *
 * @param bnbUsdX8 USD for one BNB with 8 decimals, as Chainlink's BNB/USD feeds answer
 */
export function toUsd(bnb: bigint, bnbUsdX8: bigint | null): bigint | null {
  return bnbUsdX8 === null ? null : clamp((bnb * bnbUsdX8) / answerScale);
}
