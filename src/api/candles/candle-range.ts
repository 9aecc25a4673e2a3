import { higher, lower } from "../../curve/amounts.ts";
import { type Interval, openTimeOf, termsOf } from "./intervals.ts";

/** When the first and the last of some candles open, in seconds since 1970. */
export type CandleRange = { first: bigint; last: bigint };

export type RangeRequest = {
  interval: Interval;
  /** Any moment in the first and the last candle that there are. Seconds. */
  begin: bigint;
  end: bigint;
  /** What is asked for. Seconds. */
  from: bigint | undefined;
  to: bigint | undefined;
  /** The most candles. */
  limit: number;
};

/**
 * The candles that moments from `from` to `to` are in, of those that there are. Of more than `limit` the first ones
 * where `from` is given, else the last ones. Undefined where there are none.
 */
export function candleRange({
  interval,
  begin,
  end,
  from,
  to,
  limit,
}: RangeRequest): CandleRange | undefined {
  const reach = termsOf(interval).seconds * BigInt(limit - 1);
  const oldest = openTimeOf(interval, begin);
  const newest = openTimeOf(interval, to === undefined ? end : lower(to, end));
  const first =
    from === undefined ? higher(oldest, newest - reach) : higher(oldest, openTimeOf(interval, from));
  const last = lower(newest, first + reach);
  return first <= last ? { first, last } : undefined;
}
