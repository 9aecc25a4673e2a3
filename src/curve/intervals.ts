/** The lengths of candles, in seconds. */
export const intervalSeconds = {
  "1m": 60n,
  "5m": 300n,
  "15m": 900n,
  "1h": 3_600n,
  "4h": 14_400n,
  "1d": 86_400n,
} as const;

export type Interval = keyof typeof intervalSeconds;

export const intervals = Object.keys(intervalSeconds) as Interval[];

/** The opening time of the candle that contains `timestamp`. Both in seconds since 1970. */
export function openTimeOf(interval: Interval, timestamp: bigint): bigint {
  return timestamp - (timestamp % intervalSeconds[interval]);
}
