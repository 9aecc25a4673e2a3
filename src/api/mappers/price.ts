import { formatUnits } from "viem";

const priceDecimals = 36;
const tokenDecimals = 18;

/** BNB per token as a decimal string, from an integer with 36 decimals. */
export function priceBnb(priceX36: string): string {
  return formatUnits(BigInt(priceX36), priceDecimals);
}

/** The whole supply at that price: BNB as a decimal string with up to 18 decimals, rounded down. */
export function marketCapBnb(priceX36: string, totalSupply: string): string {
  const wei = (BigInt(priceX36) * BigInt(totalSupply)) / 10n ** BigInt(priceDecimals);
  return formatUnits(wei, tokenDecimals);
}

/** Percent of `total`, rounded down to 4 decimals; 0 of nothing. */
export function percentOf(part: bigint, total: bigint): number {
  return total <= 0n ? 0 : Number((part * 1_000_000n) / total) / 10_000;
}
