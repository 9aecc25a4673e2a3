import { clamp } from "./amounts.ts";

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
