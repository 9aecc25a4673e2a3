import { checkpointTime } from "../../../config/parse.ts";
import { maxBigint, minBigint } from "../../domain/amounts.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { type CandleBoundsRow, type CandleRow, readCandleBounds, readCandles } from "./candles.query.ts";
import { type Interval, intervalSpec, openTimeOf } from "./intervals.ts";

export type CandleRequest = {
  chainId: number;
  mint: string;
  interval: Interval;
  /** Seconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  /** The maximum number of candles. */
  limit: number;
};

/** Returns a token's candles without gaps, the oldest first; undefined if the index does not have the token. */
export async function loadCandles(
  db: PooledDatabase,
  { from, to, limit, ...series }: CandleRequest,
): Promise<CandleRow[] | undefined> {
  return await inSnapshot(db, async (tx) => {
    const bounds = await readCandleBounds(tx, series);
    if (bounds === undefined) return undefined;
    const begin = firstMoment(bounds);
    if (begin === undefined) return [];
    const range = candleRange({
      interval: series.interval,
      begin,
      end: BigInt(checkpointTime(bounds.latest_checkpoint)),
      from: from === undefined ? undefined : BigInt(from),
      to: to === undefined ? undefined : BigInt(to),
      limit,
    });
    if (range === undefined) return [];
    return fillGaps(
      await readCandles(tx, { ...series, ...range }),
      range,
      series.interval,
      openingPrice(bounds),
    );
  });
}

/** When the candles begin: with the token or, if no opening price is known, with the first trade; or after those that were dropped. */
function firstMoment(bounds: CandleBoundsRow): bigint | undefined {
  if (bounds.dropped_hour !== null) return BigInt(bounds.dropped_hour) + 3_600n;
  const traded = bounds.first_open_time === null ? undefined : BigInt(bounds.first_open_time);
  if (openingPrice(bounds) === undefined || bounds.created_at === "0") return traded;
  // Custom contracts may emit trades before they announce the token.
  return minBigint(BigInt(bounds.created_at), traded ?? BigInt(bounds.created_at));
}

function openingPrice({ opening_price_bnb_x36, opening_price_usd_x36 }: CandleBoundsRow): Close | undefined {
  if (opening_price_bnb_x36 === null || opening_price_bnb_x36 === "0") return undefined;
  return { close_bnb_x36: opening_price_bnb_x36, close_usd_x36: opening_price_usd_x36 };
}

/** When the first and the last candle open, in seconds since 1970. */
type CandleRange = { first: bigint; last: bigint };

export type RangeRequest = {
  interval: Interval;
  /** Any moment in the first and in the last existing candle. Seconds. */
  begin: bigint;
  end: bigint;
  /** The requested range. Seconds. */
  from: bigint | undefined;
  to: bigint | undefined;
  /** The maximum number of candles. */
  limit: number;
};

/**
 * Returns the existing candles that cover `from` to `to`. If those are more than `limit`, it keeps the first ones if `from` is
 * given, else the last ones. Undefined if there are none.
 */
export function candleRange({
  interval,
  begin,
  end,
  from,
  to,
  limit,
}: RangeRequest): CandleRange | undefined {
  const maxSpan = intervalSpec(interval).seconds * BigInt(limit - 1);
  const oldest = openTimeOf(interval, begin);
  const newest = openTimeOf(interval, to === undefined ? end : minBigint(to, end));
  const first =
    from === undefined ? maxBigint(oldest, newest - maxSpan) : maxBigint(oldest, openTimeOf(interval, from));
  const last = minBigint(newest, first + maxSpan);
  return first <= last ? { first, last } : undefined;
}

/** The price at the end of an interval, with 36 decimals. The one in USD is null if no rate was known. */
type Close = Pick<CandleRow, "close_bnb_x36" | "close_usd_x36">;

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
  const earlier = traded.filter(({ open_time }) => BigInt(open_time) < first);
  const byTime = new Map(traded.map((row) => [row.open_time, row]));
  let close: Close | undefined = earlier.at(-1) ?? opening;
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
