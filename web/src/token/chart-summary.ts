import { formatNumber } from "../format/number.ts";
import { plural } from "../format/time.ts";
import type { Candle } from "./chart.tsx";
import type { LiquidityChange, TokenDetails } from "./data.ts";

/** The chart in words, for those who can't see it. */
export function chartSummary(candles: Candle[], inUsd: boolean): string {
  const [first] = candles;
  const last = candles.at(-1);
  if (first === undefined || last === undefined) return "";
  const price = (bnb: string, usd: string | undefined) =>
    inUsd && usd !== undefined ? `${formatNumber(usd)} dollars` : `${formatNumber(bnb)} BNB`;
  const highest = candles.reduce((best, next) => (Number(next.highBnb) > Number(best.highBnb) ? next : best));
  return `${plural(candles.length, "candle")}: opened at ${price(first.openBnb, first.openUsd)}, highest ${price(highest.highBnb, highest.highUsd)}, now ${price(last.closeBnb, last.closeUsd)}.`;
}

/** The Unix time at which the token moved to the DEX. The launchpad added its first liquidity then. */
export function graduationTime(
  token: TokenDetails,
  liquidity: LiquidityChange[] | undefined,
): number | undefined {
  const first = liquidity?.at(-1);
  if (!token.graduated || first?.kind !== "add") return undefined;
  return Math.floor(Date.parse(first.timestamp) / 1_000);
}
