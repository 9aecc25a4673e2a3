import { curve, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { formatIds, parseIds } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";
import { changedTokens } from "../../market/changed-tokens.query.ts";
import { perWindow, windowSeconds } from "../../market/time.ts";
import {
  countPerWindow,
  hasTradeInWindows,
  lastTradeUpTo,
  longestStart,
  priceChangeIn,
  tradersInWindows,
} from "../../market/windows.query.ts";
import { checkpoints } from "../../ponder/index-state.query.ts";
import type { ListedSince } from "./listed-tokens.query.ts";
import { trendingScore } from "./order/activity-table.ts";
import type { ListWindow } from "./order/sorts.ts";
import type { ActivityChange } from "./order/token-index.ts";

/** The recent trading activity of a registration's token. Volatile means that a reorg may still change it. */
export type ActivityRow = ActivityChange & { isVolatile: boolean };

/** `registry` is undefined if there was no sync before. */
export type ActivitySince = Omit<ListedSince, "registry"> & { registry: number | undefined };

const seconds: Record<ListWindow, number> = {
  "1h": windowSeconds["1h"],
  "6h": windowSeconds["6h"],
  "24h": windowSeconds["24h"],
};

/** Reads the ids of registrations whose token's activity may have changed since the last sync, in trades or by time passing. */
export async function findChangedActivity(db: Database, since: ActivitySince): Promise<Int32Array> {
  const ids = [
    sql`select unnest(${formatIds(since.volatileIds)}::int[]) as id`,
    ...(since.registry === undefined
      ? []
      : [sql`select id from offchain.registration where version > ${since.registry}`]),
    ...since.now.flatMap((now) => {
      const before = since.before.find(({ chainId }) => chainId === now.chainId);
      const previous = before && { now: before.timestamp, safe: before.safe.timestamp };
      return changedTokens({
        chainId: now.chainId,
        now: now.timestamp,
        before: previous,
        windows: Object.values(seconds),
      }).map(
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

type Row = Record<ListWindow, number> & {
  id: number;
  traders_in_windows: number[] | null;
  volume: number;
  trades: number;
  is_volatile: boolean;
};

/**
 * Reads the trading activity of registrations' tokens, in the windows that end with the last indexed block of their chain, in no
 * particular order. Leaves out those whose chain is not indexed.
 */
export async function readListedActivity(db: Database, ids: Int32Array): Promise<ActivityRow[]> {
  if (ids.length === 0) return [];
  const toDate = sql`x.buys_to_date + x.sells_to_date as trades, x.volume_to_date_wei as volume`;
  const rows = await queryRows<Row>(
    db,
    sql`select r.id, ${tradersInWindows} as traders_in_windows, ${priceChanges},
          coalesce(c.last_trade_at >= left(at.safe_checkpoint, 10)::int8, false) as is_volatile,
          case when ${hasTradeInWindows} then c.volume_to_date_wei - coalesce(before.volume, 0) else 0 end::float8 as volume,
          case when ${hasTradeInWindows} then c.buys_to_date + c.sells_to_date - coalesce(before.trades, 0) else 0 end as trades
        from unnest(${formatIds(ids)}::int[]) as asked (id)
        join offchain.registration r on r.id = asked.id
        join ${checkpoints} at on at.chain_id = r.chain_id
        left join ${curve} c on c.chain_id = r.chain_id and c.token = r.mint
        left join lateral (${lastTradeUpTo(longestStart, toDate)}) before on true`,
  );
  return rows.map(toActivityRow);
}

/** Reads the same for every registration whose token has trades in the longest window, by scanning only those trades. */
export async function readDayActivity(db: Database): Promise<ActivityRow[]> {
  const rows = await queryRows<Row>(
    db,
    sql`select r.id, x.traders_in_windows, ${priceChanges}, x.volume, x.trades,
          c.last_trade_at >= left(at.safe_checkpoint, 10)::int8 as is_volatile
        from ${checkpoints} at
        join lateral (
          select token, sum(volume)::float8 as volume, sum(trades)::int as trades,
            json_build_array(${countPerWindow(sql`last_at`)}) as traders_in_windows
          from (
            select token, max(timestamp) as last_at, sum(bnb_amount_wei) as volume, count(*) as trades from ${trade}
            where chain_id = at.chain_id and timestamp > ${longestStart} group by token, trader
          ) by_trader group by token
        ) x on true
        join ${curve} c on c.chain_id = at.chain_id and c.token = x.token
        join offchain.registration r on r.chain_id = at.chain_id and r.mint = x.token`,
  );
  return rows.map(toActivityRow);
}

const priceChanges = sql`${priceChangeIn(seconds["1h"])} as "1h", ${priceChangeIn(seconds["6h"])} as "6h",
  ${priceChangeIn(seconds["24h"])} as "24h"`;

function toActivityRow({ id, volume, trades, is_volatile, traders_in_windows, ...change }: Row): ActivityRow {
  const traders = perWindow((_, index) => traders_in_windows?.[index] ?? 0);
  const activity = { volume, trades, traders: traders["24h"], trending: trendingScore(traders), change };
  return { id, activity, isVolatile: is_volatile };
}
