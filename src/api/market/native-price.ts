import { formatUnits } from "viem";

/** What DEX Screener reads of a number, and ignores beyond. */
const decimals = 50;
const scale = 10n ** BigInt(decimals);

/**
 * BNB per token as a decimal string with up to 50 decimals, rounded down, from wei and base units. Undefined where that
 * is 0 or there is nothing to divide by: a trade without a price.
 */
export function nativePrice(bnbAmountWei: bigint, tokenAmountRaw: bigint): string | undefined {
  if (bnbAmountWei <= 0n || tokenAmountRaw <= 0n) return undefined;
  const price = (bnbAmountWei * scale) / tokenAmountRaw;
  return price === 0n ? undefined : formatUnits(price, decimals);
}
