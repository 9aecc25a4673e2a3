import { formatUnits } from "viem";
import { valueAt } from "../../curve/price.ts";
import { toUsd } from "../../curve/usd.ts";

/** A whole number, as drizzle reads it or as the driver has it. */
type Whole = bigint | string;

const priceDecimals = 36;
const tokenDecimals = 18;

/** BNB or USD per token as a decimal string, from an integer with 36 decimals. */
export function formatPrice(priceX36: Whole): string {
  return formatUnits(BigInt(priceX36), priceDecimals);
}

/** USD for one BNB as a decimal string, from an integer with 8 decimals. */
export function rateUsd(bnbUsdX8: Whole): string {
  return formatUnits(BigInt(bnbUsdX8), 8);
}

/** Whole BNB, USD or tokens as a decimal string, from wei, USD with 18 decimals or base units. May be below 0. */
export function wholeUnits(amount: Whole): string {
  return formatUnits(BigInt(amount), tokenDecimals);
}

/** Percent by which a price rose (fell, below 0), rounded towards 0 to 4 decimals; null from a price of 0. */
export function changePercent(before: bigint, after: bigint): number | null {
  return before <= 0n ? null : Number(((after - before) * 1_000_000n) / before) / 10_000;
}

/** The whole supply at that price: BNB as a decimal string with up to 18 decimals, rounded down. */
export function marketCapBnb(priceBnbX36: Whole, totalSupply: Whole): string {
  return formatUnits(marketCap(priceBnbX36, totalSupply), tokenDecimals);
}

/** That price in USD, at a rate with 8 decimals; nothing without one. */
export function priceInUsd(priceBnbX36: Whole, bnbUsdX8: Whole | null): { priceUsd?: string } {
  const usd = usdOf(BigInt(priceBnbX36), bnbUsdX8);
  return usd === null ? {} : { priceUsd: formatPrice(usd) };
}

/** The whole supply at that price in USD, at a rate with 8 decimals; nothing without one. */
export function marketCapInUsd(
  priceBnbX36: Whole,
  totalSupply: Whole,
  bnbUsdX8: Whole | null,
): { marketCapUsd?: string } {
  const usd = usdOf(marketCap(priceBnbX36, totalSupply), bnbUsdX8);
  return usd === null ? {} : { marketCapUsd: wholeUnits(usd) };
}

/** BNB in USD with as many decimals, at a rate with 8; null without one. */
export function usdOf(bnb: bigint, bnbUsdX8: Whole | null): string | null {
  const usd = toUsd(bnb, bnbUsdX8 === null ? null : BigInt(bnbUsdX8));
  return usd === null ? null : String(usd);
}

function marketCap(priceBnbX36: Whole, totalSupply: Whole): bigint {
  return valueAt(BigInt(priceBnbX36), BigInt(totalSupply));
}

/** `part / total`, rounded down to 4 decimals; null of nothing. */
export function ratioOf(part: bigint, total: bigint): number | null {
  return total <= 0n ? null : Number((part * 10_000n) / total) / 10_000;
}

/** Percent of `total`, rounded down to 4 decimals; 0 of nothing. */
export function percentOf(part: bigint, total: bigint): number {
  return total <= 0n ? 0 : Number((part * 1_000_000n) / total) / 10_000;
}
