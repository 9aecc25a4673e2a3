import { clamp } from "./amounts.ts";

/**
 * The virtual BNB reserves in wei with which the last token of a curve is sold: with x * y = k the BNB that remain beside
 * virtualTokenReserves - totalToSell, rounded up as a contract in favour of its pool would. 0 where a curve can never
 * be sold out.
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
