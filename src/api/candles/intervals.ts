import { maxBigint, minBigint } from "../../domain/amounts.ts";
import type { StoredInterval } from "../../domain/intervals.ts";

type IntervalSpec = {
  /** The length of a candle. */
  seconds: bigint;
  /** The stored candles that it is merged from. Each of them lies entirely within one merged candle. */
  storedInterval: StoredInterval;
  /** How many seconds before 1970 the candle that contains its start began; 0 by default. */
  epochOffset?: bigint;
};

const minute = 60n;
const hour = 60n * minute;
const day = 24n * hour;

/** The shortest first. */
export const intervals = ["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"] as const;
export type Interval = (typeof intervals)[number];

const specs: Record<Interval, IntervalSpec> = {
  "1m": { seconds: minute, storedInterval: "1m" },
  "5m": { seconds: 5n * minute, storedInterval: "1m" },
  "15m": { seconds: 15n * minute, storedInterval: "1m" },
  "30m": { seconds: 30n * minute, storedInterval: "1m" },
  "1h": { seconds: hour, storedInterval: "1h" },
  "4h": { seconds: 4n * hour, storedInterval: "1h" },
  "1d": { seconds: day, storedInterval: "1h" },
  // Weeks begin on Monday; 1970 began on a Thursday.
  "1w": { seconds: 7n * day, storedInterval: "1h", epochOffset: 3n * day },
};

export function intervalSpec(interval: Interval): Required<IntervalSpec> {
  return { epochOffset: 0n, ...specs[interval] };
}

/** The opening time of the candle that contains `timestamp`. Both in seconds since 1970. */
export function openTimeOf(interval: Interval, timestamp: bigint): bigint {
  const { seconds, epochOffset } = intervalSpec(interval);
  return timestamp - ((timestamp + epochOffset) % seconds);
}

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

/** How TradingView's charts call the lengths of candles. */
export const intervalOf = {
  "1": "1m",
  "5": "5m",
  "15": "15m",
  "30": "30m",
  "60": "1h",
  "240": "4h",
  "1D": "1d",
  D: "1d",
  "1W": "1w",
  W: "1w",
} as const satisfies Record<string, Interval>;

export type Resolution = keyof typeof intervalOf;

export const resolutions = Object.keys(intervalOf) as Resolution[];

/** The names that a feed announces: one for each length. */
export const announced = resolutions.filter((name) => name !== "D" && name !== "W");

/** Those shorter than a day. */
export const intraday = announced.filter((name) => /^\d+$/.test(name));
