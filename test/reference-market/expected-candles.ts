import { groupBy, maximum, minimum, sum } from "./groups.ts";
import type { ObservedTrade } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

const minute = 60n;
const lengths: Record<string, bigint> = {
  "1m": minute,
  "5m": 5n * minute,
  "15m": 15n * minute,
  "30m": 30n * minute,
  "1h": 60n * minute,
  "4h": 240n * minute,
  "1d": 1440n * minute,
  "1w": 10080n * minute,
};

/** The intervals that REST serves. */
export const candleIntervals = Object.keys(lengths);

/** The intervals that the table stores. */
export const storedIntervals = ["1m", "1h"];

/** Returns a candle for each token, interval and period that has trades. */
export function expectedCandles(trades: ObservedTrade[], intervals: string[]): ExpectedRow[] {
  return intervals.flatMap((interval) => {
    const length = lengths[interval] ?? 0n;
    // The first Monday after the epoch was 5 January 1970.
    const monday = interval === "1w" ? 4n * 1440n * minute : 0n;
    const openTime = ({ timestamp }: ObservedTrade) => ((timestamp - monday) / length) * length + monday;
    const groups = groupBy(trades, (trade) => `${trade.token} ${openTime(trade)}`);
    return groups.map((group) => ({
      token: group[0].token,
      interval,
      open_time: openTime(group[0]),
      trades: group.length,
      volume_wei: sum(group.map(({ bnb }) => bnb)),
      volume_raw: sum(group.map(({ tokens }) => tokens)),
      open_bnb_x36: group[0].from,
      close_bnb_x36: group.at(-1)?.to,
      high_bnb_x36: maximum(group.flatMap(({ from, to }) => [from, to])),
      low_bnb_x36: minimum(group.flatMap(({ from, to }) => [from, to])),
      ...inUsd(group),
    }));
  });
}

/** The USD columns, from the trades that had a rate: none before the first of these. */
function inUsd(group: ObservedTrade[]) {
  const rated = group.flatMap(({ fromUsd, toUsd, volumeUsd }) =>
    fromUsd === null || toUsd === null || volumeUsd === null ? [] : [{ fromUsd, toUsd, volumeUsd }],
  );
  const prices = rated.flatMap(({ fromUsd, toUsd }) => [fromUsd, toUsd]);
  return {
    open_usd_x36: rated[0]?.fromUsd ?? null,
    close_usd_x36: rated.at(-1)?.toUsd ?? null,
    high_usd_x36: rated.length === 0 ? null : maximum(prices),
    low_usd_x36: rated.length === 0 ? null : minimum(prices),
    volume_usd_x18: rated.length === 0 ? null : sum(rated.map(({ volumeUsd }) => volumeUsd)),
  };
}
