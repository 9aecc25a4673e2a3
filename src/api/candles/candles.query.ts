import { candle, curve, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import type { StoredInterval } from "../../domain/intervals.ts";
import { columnList, columnsOf, type RowOf, sqlInteger } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import { mergedCandle } from "../market/merged-candle.query.ts";
import { checkpoints } from "../ponder/index-state.query.ts";
import { type Interval, intervalSpec } from "./intervals.ts";

/** What determines where a token's candles begin and end. Numeric columns are decimal strings. */
export type CandleBoundsRow = {
  /** Seconds; 0 if the factory never announced the token. */
  created_at: string;
  /** The price at which the curve opened; null or 0 if it has not. */
  opening_price_bnb_x36: string | null;
  /** The price at which the curve opened in USD, at the rate of that time. */
  opening_price_usd_x36: string | null;
  /** When the first stored candle opened, the one of the token's first trade. */
  first_open_time: string | null;
  /** When the last hour of trades whose one-minute candles were dropped began; null if none were, or the interval isn't made of them. */
  dropped_hour: string | null;
  latest_checkpoint: string;
};

type CandleSeries = { chainId: number; mint: string; interval: Interval };

export async function readCandleBounds(
  db: Database,
  { chainId, mint, interval }: CandleSeries,
): Promise<CandleBoundsRow | undefined> {
  const { storedInterval } = intervalSpec(interval);
  const ofToken = (stored: StoredInterval) =>
    sql`k.chain_id = t.chain_id and k.token = t.address and k.interval = ${stored}`;
  const droppedHour = sql`(select open_time from ${candle} k
    where ${ofToken("1h")} and open_time <= coalesce(opened.first_open_time, ${lastTime}) - 3600
    order by open_time desc limit 1)`;
  const [row] = await queryRows<CandleBoundsRow>(
    db,
    sql`select t.created_at, c.opening_price_bnb_x36, c.opening_price_usd_x36, at.latest_checkpoint, opened.first_open_time,
          ${storedInterval === "1m" ? droppedHour : sql`null`} as dropped_hour
        from ${token} t
        join ${checkpoints} at on at.chain_id = t.chain_id
        left join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
        left join lateral (
          select open_time as first_open_time from ${candle} k where ${ofToken(storedInterval)} order by open_time limit 1
        ) opened on true
        where t.chain_id = ${chainId} and t.address = ${mint}`,
  );
  return row;
}

const lastTime = sqlInteger(2n ** 63n - 1n);

const columns = columnsOf(candle, "k", [
  "open_time",
  "open_bnb_x36",
  "high_bnb_x36",
  "low_bnb_x36",
  "close_bnb_x36",
  "volume_wei",
  "volume_raw",
  "trades",
  "open_usd_x36",
  "high_usd_x36",
  "low_usd_x36",
  "close_usd_x36",
  "volume_usd_x18",
]);

export type CandleRow = RowOf<typeof columns>;

/**
 * Returns the candles with trades that open from `first` to `last` (seconds), the oldest first. They are preceded by the last
 * earlier stored candle, if there is one: its close is the price that they start from. Where one-minute candles may have been
 * dropped, so are they by the last one of an hour.
 */
export async function readCandles(
  db: Database,
  { chainId, mint, interval, first, last }: CandleSeries & { first: bigint; last: bigint },
): Promise<CandleRow[]> {
  const { seconds, storedInterval } = intervalSpec(interval);
  const ofToken = (stored: StoredInterval) =>
    sql`chain_id = ${chainId} and token = ${mint} and interval = ${stored}`;
  const from = sql`${String(first)}::int8`;
  const within = sql`from ${candle} k
    where ${ofToken(storedInterval)} and open_time between ${from} and ${String(last + seconds - 1n)}::int8`;
  const lastBefore = (stored: StoredInterval, before: SQL) => sql`
    (select ${columnList(columns)} from ${candle} k where ${ofToken(stored)} and open_time < ${before}
     order by open_time desc limit 1)`;
  return await queryRows<CandleRow>(
    db,
    sql`select * from (
          ${lastBefore(storedInterval, from)}
          union all
          ${storedInterval === "1m" ? sql`${lastBefore("1h", sql`${from} - 3599`)} union all` : sql``}
          (${interval === storedInterval ? sql`select ${columnList(columns)} ${within}` : sql`select ${columnList(mergedCandle(intervalSpec(interval)))} ${within} group by 1`})
        ) found order by open_time`,
  );
}
