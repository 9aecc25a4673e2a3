import type { CandleRange } from "./candle-range.ts";
import type { CandleRow } from "./candles.query.ts";
import { type Interval, intervalSpec } from "./intervals.ts";

/** The price at the end of an interval, with 36 decimals. The one in USD is null if no rate was known. */
export type Close = Pick<CandleRow, "close_bnb_x36" | "close_usd_x36">;

/**
 * Returns one candle for every interval of the range, whose size the caller limits: without trades, a flat one at the previous
 * close. Intervals before any price is known are left out.
 *
 * @param traded the candles with trades, the oldest first; the last one before the range provides its first open
 * @param opening the price before the first trade
 */
export function fillGaps(
  traded: CandleRow[],
  { first, last }: CandleRange,
  interval: Interval,
  opening: Close | undefined,
): CandleRow[] {
  const before = traded.filter(({ open_time }) => BigInt(open_time) < first);
  const byTime = new Map(traded.map((row) => [row.open_time, row]));
  let close: Close | undefined = before.at(-1) ?? opening;
  const { seconds } = intervalSpec(interval);
  const filled: CandleRow[] = [];
  for (let time = first; time <= last; time += seconds) {
    const row = byTime.get(String(time)) ?? (close && flatCandle(String(time), close));
    if (row === undefined) continue;
    filled.push(row);
    close = row;
  }
  return filled;
}

function flatCandle(open_time: string, { close_bnb_x36, close_usd_x36 }: Close): CandleRow {
  return {
    open_time,
    open_bnb_x36: close_bnb_x36,
    high_bnb_x36: close_bnb_x36,
    low_bnb_x36: close_bnb_x36,
    close_bnb_x36,
    volume_wei: "0",
    volume_raw: "0",
    trades: 0,
    open_usd_x36: close_usd_x36,
    high_usd_x36: close_usd_x36,
    low_usd_x36: close_usd_x36,
    close_usd_x36,
    volume_usd_x18: close_usd_x36 === null ? null : "0",
  };
}
