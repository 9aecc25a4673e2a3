import { curve, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../../database/database.ts";
import { formatIds, parseIds } from "../../database/ids.ts";
import { isTraded, lastTradeUpTo, longestStart, tradersInWindows } from "../../market/windows.query.ts";
import { perWindow, windowSeconds } from "../../market/windows.ts";
import { checkpoints, type IndexedChain } from "../../ponder/index-state.query.ts";
import { type TrendingWindow, trendingScore } from "./order/activity.ts";
import type { ActivityChange } from "./order/list-order.ts";

/** What was traded lately of a registration's token. Volatile: a reorg may still change it. */
export type ActivityRow = ActivityChange & { isVolatile: boolean };

export type ActivitySince = {
  /** The registry's version at the last look; undefined: there was none. */
  registry: number | undefined;
  /** The chains at the last look. */
  before: IndexedChain[];
  /** What was volatile at the last look. */
  volatileIds: number[];
  /** The chains now. */
  now: IndexedChain[];
};

const seconds: Record<TrendingWindow, number> = windowSeconds;
const trendingWindows: TrendingWindow[] = ["1h", "6h", "24h"];

/**
 * From so many seconds on between two looks, the trades that have left a window meanwhile may be more than the tokens that had
 * any.
 */
const longSeconds = 900;

/** Every registration whose token's activity may have changed since the last look: those of other tokens had none, and have none. */
export async function activitySince(db: Database, since: ActivitySince): Promise<Int32Array> {
  const ids = [
    sql`select unnest(${formatIds(since.volatileIds)}::int[]) as id`,
    ...(since.registry === undefined
      ? []
      : [sql`select id from offchain.registration where version > ${since.registry}`]),
    ...since.now.flatMap((now) => {
      const before = since.before.find(({ chainId }) => chainId === now.chainId);
      return changedTokens(now, before).map(
        (tokens) => sql`select r.id from (${tokens}) changed
          join offchain.registration r on r.chain_id = ${now.chainId} and r.mint = changed.token`,
      );
    }),
  ];
  const [row] = await queryRows<{ ids: string | null }>(
    db,
    sql`select string_agg(id::text, ',') as ids from (${sql.join(ids, sql` union `)}) changed`,
  );
  return parseIds(row?.ids);
}

/** Tokens of a chain that were traded, taken back, or have trades that are in another window now that time has passed. */
function changedTokens(now: IndexedChain, before: IndexedChain | undefined): SQL[] {
  const { chainId } = now;
  const tradedSince = (condition: SQL) =>
    sql`select token from ${curve} where chain_id = ${chainId} and last_trade_at ${condition}`;
  if (before === undefined) return [tradedSince(sql`> ${now.timestamp - seconds["24h"]}`)];

  const traded = tradedSince(sql`>= ${before.safe.timestamp}`);
  // After a reorg, time may have gone back, and trades into the windows that they had left.
  const [earlier, later] = [before.timestamp, now.timestamp].toSorted((left, right) => left - right);
  const [from, to] = [earlier as number, later as number];
  if (to - from > longSeconds) return [traded, tradedSince(sql`> ${from - seconds["24h"]}`)];
  return [
    traded,
    ...trendingWindows.map(
      (window) => sql`select distinct token from ${trade} where chain_id = ${chainId}
        and timestamp > ${from - seconds[window]} and timestamp <= ${to - seconds[window]}`,
    ),
  ];
}

type Row = {
  id: number;
  volume: number;
  trades: number;
  /** By window, the shortest first; null without trades in the longest. */
  traders: number[] | null;
  is_volatile: boolean;
};

/**
 * What was traded of these registrations' tokens in the windows that end with the last indexed block of their chain, in no
 * order. Without those whose chain is not indexed.
 */
export async function listedActivity(db: Database, ids: Int32Array): Promise<ActivityRow[]> {
  if (ids.length === 0) return [];
  const toDate = sql`x.buys_to_date + x.sells_to_date as trades, x.volume_bnb_to_date as volume`;
  const found = await queryRows<Row>(
    db,
    sql`select r.id, ${tradersInWindows} as traders,
          coalesce(c.last_trade_at >= left(at.safe_checkpoint, 10)::int8, false) as is_volatile,
          case when ${isTraded} then c.volume_bnb_to_date - coalesce(before.volume, 0) else 0 end::float8 as volume,
          case when ${isTraded} then c.buys_to_date + c.sells_to_date - coalesce(before.trades, 0) else 0 end as trades
        from unnest(${formatIds(ids)}::int[]) as asked (id)
        join offchain.registration r on r.id = asked.id
        join ${checkpoints} at on at.chain_id = r.chain_id
        left join ${curve} c on c.chain_id = r.chain_id and c.token = r.mint
        left join lateral (${lastTradeUpTo(longestStart, toDate)}) before on true`,
  );
  return found.map(({ id, volume, trades, traders, is_volatile }) => ({
    id,
    activity: { volume, trades, trending: trendingScore(perWindow((_, index) => traders?.[index] ?? 0)) },
    isVolatile: is_volatile,
  }));
}
