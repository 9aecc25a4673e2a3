import type { TokenWindows, TradeTotals } from "./market.schema.ts";
import { changePercent, formatDifference } from "./price.ts";
import { perWindow } from "./time.ts";
import type { TotalsBefore, TotalsRow, WindowsRow } from "./windows.query.ts";

/** Maps the totals of all trades to date. */
export function toTradedToDate(row: TotalsRow, hasRate: boolean): TradeTotals {
  return toTradeTotals(row, [0, 0, "0", "0"], hasRate);
}

/**
 * Maps the totals of trades since some moment, given the totals before it.
 *
 * @param before buys, sells, and volume in wei and in USD with 18 decimals; null if nothing was traded since
 * @param hasRate whether a BNB/USD rate is known
 */
export function toTradeTotals(
  row: TotalsRow,
  before: Readonly<[number, number, string, string, ...unknown[]]> | null,
  hasRate: boolean,
): TradeTotals {
  const { buys_to_date, sells_to_date, volume_to_date_wei, volume_to_date_usd_x18 } = row;
  const [buysBefore, sellsBefore, bnbBefore, usdBefore] = before ?? [
    buys_to_date,
    sells_to_date,
    volume_to_date_wei,
    volume_to_date_usd_x18,
  ];
  const buys = buys_to_date - buysBefore;
  const sells = sells_to_date - sellsBefore;
  return {
    volumeBnb: formatDifference(volume_to_date_wei, bnbBefore),
    ...(hasRate ? { volumeUsd: formatDifference(volume_to_date_usd_x18, usdBefore) } : {}),
    trades: buys + sells,
    buys,
    sells,
  };
}

/** Maps a token's windows. */
export function toWindows(row: WindowsRow, hasRate: boolean): TokenWindows {
  return perWindow((_, index) => {
    const before = row.before_windows?.[index] ?? null;
    return {
      ...toTradeTotals(row, before, hasRate),
      traders: row.traders_in_windows?.[index] ?? 0,
      priceChangePercent: priceChange(row.close_price_bnb_x36, before),
    };
  });
}

function priceChange(close: string, before: TotalsBefore): number | null {
  const after = BigInt(close);
  return changePercent(before === null ? after : BigInt(before[4]), after);
}
