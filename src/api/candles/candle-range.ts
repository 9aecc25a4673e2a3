import { maxBigint, minBigint } from "../../curve/amounts.ts";
import { type Interval, intervalSpec, openTimeOf } from "./intervals.ts";

/** When the first and the last candle open, in seconds since 1970. */
export type CandleRange = { first: bigint; last: bigint };

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
