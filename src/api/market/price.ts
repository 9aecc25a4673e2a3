import { formatUnits } from "viem";
import { toUsd, valueAt } from "../../domain/price.ts";

/** An integer: drizzle reads a bigint, the driver a decimal string. */
type Integer = bigint | string;

const priceDecimals = 36;
const tokenDecimals = 18;

/** Formats BNB or USD per token as a decimal string, from an integer with 36 decimals. */
export function formatPrice(priceX36: Integer): string {
  return formatUnits(BigInt(priceX36), priceDecimals);
}

/** Formats USD for one BNB as a decimal string, from an integer with 8 decimals. */
export function formatRate(bnbUsdX8: Integer): string {
  return formatUnits(BigInt(bnbUsdX8), 8);
}

/** Formats BNB, USD or tokens as a decimal string, from wei, USD with 18 decimals or base units. May be negative. */
export function formatAmount(amount: Integer): string {
  return formatUnits(BigInt(amount), tokenDecimals);
}

/** Formats what is left of one amount without another. */
export function formatDifference(amount: Integer, other: Integer): string {
  return formatAmount(BigInt(amount) - BigInt(other));
}

/** Percent by which a price rose (negative: fell), rounded towards 0 to 4 decimals. Null if it was 0 before. */
export function changePercent(before: bigint, after: bigint): number | null {
  return before <= 0n ? null : Number(((after - before) * 1_000_000n) / before) / 10_000;
}

/** Returns the market cap in BNB as a decimal string with up to 18 decimals, rounded down. */
export function marketCapBnb(priceBnbX36: Integer, totalSupply: Integer): string {
  return formatUnits(marketCap(priceBnbX36, totalSupply), tokenDecimals);
}

/** Returns the price in USD, at a rate with 8 decimals, or no field without a rate. */
export function priceInUsd(priceBnbX36: Integer, bnbUsdX8: Integer | null): { priceUsd?: string } {
  const usd = bnbToUsd(BigInt(priceBnbX36), bnbUsdX8);
  return usd === null ? {} : { priceUsd: formatPrice(usd) };
}

/** Returns the market cap in USD, at a rate with 8 decimals, or no field without a rate. */
export function marketCapInUsd(
  priceBnbX36: Integer,
  totalSupply: Integer,
  bnbUsdX8: Integer | null,
): { marketCapUsd?: string } {
  const usd = bnbToUsd(marketCap(priceBnbX36, totalSupply), bnbUsdX8);
  return usd === null ? {} : { marketCapUsd: formatAmount(usd) };
}

/** Converts BNB to USD with the same number of decimals, at a rate with 8 decimals. Null without a rate. */
export function bnbToUsd(bnb: bigint, bnbUsdX8: Integer | null): string | null {
  const usd = toUsd(bnb, bnbUsdX8 === null ? null : BigInt(bnbUsdX8));
  return usd === null ? null : String(usd);
}

function marketCap(priceBnbX36: Integer, totalSupply: Integer): bigint {
  return valueAt(BigInt(priceBnbX36), BigInt(totalSupply));
}

/** `part / total`, rounded down to 4 decimals. Null if the total is 0. */
export function floorRatio(part: bigint, total: bigint): number | null {
  return total <= 0n ? null : Number((part * 10_000n) / total) / 10_000;
}

/** `part` as percent of `total`, rounded down to 4 decimals. 0 if the total is 0. */
export function floorPercent(part: bigint, total: bigint): number {
  return total <= 0n ? 0 : Number((part * 1_000_000n) / total) / 10_000;
}

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

const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 6, useGrouping: false });

/** Rounds a decimal string to 6 significant digits, without an exponent or trailing zeros. */
export function toSixDigits(decimal: string): string {
  return format.format(Number(decimal));
}
