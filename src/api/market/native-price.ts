import { formatUnits } from "viem";

/** DEX Screener ignores decimals beyond these. */
const decimals = 50;
const scale = 10n ** BigInt(decimals);

/**
 * Returns BNB per token as a decimal string with up to 50 decimals, rounded down, from wei and base units. Undefined for a trade
 * without a price: one whose price would be 0, or that moved no tokens.
 */
export function nativePrice(bnbAmountWei: bigint, tokenAmountRaw: bigint): string | undefined {
  if (bnbAmountWei <= 0n || tokenAmountRaw <= 0n) return undefined;
  const price = (bnbAmountWei * scale) / tokenAmountRaw;
  return price === 0n ? undefined : formatUnits(price, decimals);
}
