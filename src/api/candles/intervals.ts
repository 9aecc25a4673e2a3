import type { StoredInterval } from "../../curve/intervals.ts";

type Terms = {
  /** The length. */
  seconds: bigint;
  /** The stored candles that it is made of, each of which is in one of its candles as a whole. */
  madeOf: StoredInterval;
  /** Seconds that the candle of 1970 had begun before it; left out: 0. */
  before1970?: bigint;
};

const minute = 60n;
const hour = 60n * minute;
const day = 24n * hour;

/** The lengths of candles that can be asked for. */
const terms = {
  "1m": { seconds: minute, madeOf: "1m" },
  "5m": { seconds: 5n * minute, madeOf: "1m" },
  "15m": { seconds: 15n * minute, madeOf: "1m" },
  "30m": { seconds: 30n * minute, madeOf: "1m" },
  "1h": { seconds: hour, madeOf: "1h" },
  "4h": { seconds: 4n * hour, madeOf: "1h" },
  "1d": { seconds: day, madeOf: "1h" },
  // Weeks begin on Mondays, and 1970 on a Thursday.
  "1w": { seconds: 7n * day, madeOf: "1h", before1970: 3n * day },
} as const satisfies Record<string, Terms>;

export type Interval = keyof typeof terms;

export const intervals = Object.keys(terms) as Interval[];

/** What the interval is made of, with every field. */
export function termsOf(interval: Interval): Required<Terms> {
  return { before1970: 0n, ...terms[interval] };
}

/** The opening time of the candle that contains `timestamp`. Both in seconds since 1970. */
export function openTimeOf(interval: Interval, timestamp: bigint): bigint {
  const { seconds, before1970 } = termsOf(interval);
  return timestamp - ((timestamp + before1970) % seconds);
}
