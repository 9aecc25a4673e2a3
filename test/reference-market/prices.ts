const one = 10n ** 36n;

/** The ratio of the reserves: BNB per token with 36 decimals, rounded down. */
export function ratioX36(bnbReserves: bigint, tokenReserves: bigint): bigint {
  return tokenReserves === 0n ? 0n : (bnbReserves * one) / tokenReserves;
}

/** Converts an amount or a price from BNB to USD, at a rate with 8 decimals, rounded down; null without a rate. */
export function inUsd(bnb: bigint, rateX8: bigint | null): bigint | null {
  return rateX8 === null ? null : (bnb * rateX8) / 100_000_000n;
}
