import { minBigint } from "./amounts.ts";

export const storedIntervals = ["1m", "1h"] as const;

export type StoredInterval = (typeof storedIntervals)[number];

/** The lengths of stored candles, in seconds. Candles of other lengths are merged from them on request. */
export const storedSeconds: Record<StoredInterval, bigint> = { "1m": 60n, "1h": 3_600n };

/** The opening time of the stored candle that contains `timestamp`. Both in seconds since 1970. */
export function storedOpenTime(interval: StoredInterval, timestamp: bigint): bigint {
  return timestamp - (timestamp % storedSeconds[interval]);
}

const lastDay = 2n ** 31n - 1n;

/**
 * The day in UTC of a time in seconds since 1970, as the number of days since 1970. A day that doesn't fit an integer column, which only a
 * hostile chain has, becomes the last one that does.
 */
export function dayOf(timestamp: bigint): number {
  return Number(minBigint(timestamp / 86_400n, lastDay));
}
