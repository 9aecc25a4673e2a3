/** The largest amount that an ERC-20 can hold: 2^256 - 1 base units. It fits Ponder's numeric(78) columns. */
export const maxUint256 = 2n ** 256n - 1n;

/**
 * Returns `left + right`, in base units or wei, clamped to 0 and {@link maxUint256}. For every honest token this is plain
 * arithmetic; a hostile one may emit any amounts in any order, and must neither stop the indexer nor leave a balance that no
 * ERC-20 can have.
 */
export function addAmount(left: bigint, right: bigint): bigint {
  return clamp(left + right);
}

/** Like {@link addAmount}, for `left - right`. */
export function subtractAmount(left: bigint, right: bigint): bigint {
  return clamp(left - right);
}

/** Clamps a value to what an ERC-20 amount can be. */
export function clamp(value: bigint): bigint {
  if (value < 0n) return 0n;
  return value > maxUint256 ? maxUint256 : value;
}

/** Clamps a profit in wei, which is negative for a loss. */
export function clampSigned(value: bigint): bigint {
  return value < 0n ? -clamp(-value) : clamp(value);
}

export function maxBigint(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}

export function minBigint(left: bigint, right: bigint): bigint {
  if (left < right) return left;
  return right;
}
