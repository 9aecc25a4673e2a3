import { channel } from "node:diagnostics_channel";

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

/** A transfer of more base units than the index knows its sender to have. */
export type Overdraft = {
  chainId: number;
  token: string;
  account: string;
  balanceRaw: bigint;
  sentRaw: bigint;
};

/**
 * Carries each {@link Overdraft}. An honest token has none, so it means that an earlier transfer is missing, or was counted twice.
 * Handlers only announce it: who counts and reports it is no part of what rows are made of.
 */
export const overdrafts = channel("launchpad:overdraft");

/** Addresses whose key nobody has. A transfer to any of them is a burn, but only the zero address reduces the supply. */
export const burnAddresses: ReadonlySet<string> = new Set([
  "0x0000000000000000000000000000000000000000",
  "0x000000000000000000000000000000000000dead",
]);
