const one = 10n ** 36n;

/** BNB for one token with 36 decimals, rounded down: the ratio of the reserves. */
export function ratioX36(bnbReserves: bigint, tokenReserves: bigint): bigint {
  return tokenReserves === 0n ? 0n : (bnbReserves * one) / tokenReserves;
}

/** An amount or a price in BNB at a rate of USD with 8 decimals, rounded down; null without a rate. */
export function inUsd(bnb: bigint, rateX8: bigint | null): bigint | null {
  return rateX8 === null ? null : (bnb * rateX8) / 100_000_000n;
}
