import { curve, launchpad, token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { daySeconds } from "../market/time.ts";
import { countPerWindow, longestStart, type TotalsRow, windowStarts } from "../market/windows.query.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

/** The launchpad's totals to date at some time: buys, sells, volume in wei and in USD with 18 decimals. */
export type LaunchpadTotals = [number, number, string, string];

/** The totals of a chain. */
export type StatsRow = TotalsRow & {
  latest_checkpoint: string;
  tokens: number;
  graduated: number;
  in_curves_wei: string;
  /** USD for one BNB with 8 decimals: the price feed's last answer, and its time in seconds since 1970. */
  bnb_usd_x8: string | null;
  bnb_usd_at: string | null;
  before_windows: (LaunchpadTotals | null)[];
  created_in_windows: number[];
  graduated_in_windows: number[];
};

/** The totals before a trade: those after it, less its own contribution. */
const totalsBeforeTrade = sql`json_build_array(
  x.launchpad_buys_to_date - (x.side = 'buy')::int, x.launchpad_sells_to_date - (x.side = 'sell')::int,
  (x.launchpad_volume_to_date_wei - x.bnb_amount_wei)::text,
  (x.launchpad_volume_to_date_usd_x18 - coalesce(div(x.bnb_amount_wei * x.bnb_usd_x8, 100000000), 0))::text)`;

/**
 * The totals before the first trade of each window; null if there is none. The last trade before a window may be far away, with all
 * trades of another chain in between.
 */
const totalsBefore = sql`(
  select json_agg(case when last.timestamp > w.start then (
      select ${totalsBeforeTrade} from ${trade} x where x.chain_id = at.chain_id and x.timestamp > w.start
      order by x.timestamp, x.id limit 1)
    end order by w.index)
  from ${windowStarts}
  left join lateral (
    select x.timestamp from ${trade} x where x.chain_id = at.chain_id order by x.id desc limit 1
  ) last on true)`;

/** Returns undefined before the first block is indexed. */
export async function readStats(db: Database, chainId: number): Promise<StatsRow | undefined> {
  const [row] = await queryRows<StatsRow>(
    db,
    sql`select at.latest_checkpoint, coalesce(l.tokens, 0) as tokens, coalesce(l.graduated, 0) as graduated,
          coalesce(l.in_curves_wei, 0) as in_curves_wei, coalesce(l.buys_to_date, 0) as buys_to_date, coalesce(l.sells_to_date, 0) as sells_to_date,
          coalesce(l.volume_to_date_wei, 0) as volume_to_date_wei,
          coalesce(l.volume_to_date_usd_x18, 0) as volume_to_date_usd_x18, l.bnb_usd_x8, l.bnb_usd_at,
          ${totalsBefore} as before_windows,
          (select json_build_array(${countPerWindow(sql`t.created_at`)}) from ${token} t
           where t.chain_id = at.chain_id and t.created_at > ${longestStart}) as created_in_windows,
          (select json_build_array(${countPerWindow(sql`c.graduated_at`)}) from ${curve} c
           where c.chain_id = at.chain_id and c.graduated and c.graduated_at > ${longestStart})
            as graduated_in_windows
        from ${checkpoints} at left join ${launchpad} l on l.chain_id = at.chain_id
        where at.chain_id = ${chainId}`,
  );
  return row;
}

/** A chain's daily totals, oldest first. The last day is that of the last indexed block. */
export type DaysRow = {
  latest_checkpoint: string;
  has_rate: boolean;
  /** The start of the first day, in seconds since 1970. */
  first_day: string;
  /** The totals before the first trade of these days; null if there was none. */
  before: LaunchpadTotals | null;
  /** The totals after each day's last trade; null for a day without trades. */
  after: (LaunchpadTotals | null)[];
  /** Counts by day, as an index from 0. Days without any are missing. */
  created: Record<string, number> | null;
  graduated: Record<string, number> | null;
};

const totals = sql`json_build_array(x.launchpad_buys_to_date, x.launchpad_sells_to_date,
  x.launchpad_volume_to_date_wei::text, x.launchpad_volume_to_date_usd_x18::text)`;

const countByDay = (time: SQL, rows: SQL): SQL => sql`(
  select json_object_agg(day, count) from (
    select (${time} - d.first_day) / ${daySeconds}::int8 as day, count(*)::int as count from ${rows}
    where ${time} >= d.first_day group by 1
  ) counted)`;

/**
 * Reads the totals to date after each day's last trade, which an index finds: the other trades are not read. Returns
 * undefined before the first block is indexed.
 */
export async function readDays(db: Database, chainId: number, days: number): Promise<DaysRow | undefined> {
  const [row] = await queryRows<DaysRow>(
    db,
    sql`select d.latest_checkpoint, d.first_day, d.has_rate,
          (select ${totalsBeforeTrade} from ${trade} x where x.chain_id = d.chain_id and x.timestamp >= d.first_day
           order by x.timestamp, x.id limit 1) as before,
          (select json_agg(last.totals order by day) from generate_series(0, ${days - 1}::int) day
           left join lateral (
             select ${totals} as totals from ${trade} x
             where x.chain_id = d.chain_id and x.timestamp >= d.first_day + ${daySeconds}::int8 * day
               and x.timestamp < d.first_day + ${daySeconds}::int8 * (day + 1)
             order by x.timestamp desc, x.id desc limit 1
           ) last on true) as after,
          ${countByDay(sql`t.created_at`, sql`(select * from ${token} t where t.chain_id = d.chain_id) t`)} as created,
          ${countByDay(
            sql`c.graduated_at`,
            sql`(select * from ${curve} c where c.chain_id = d.chain_id and c.graduated) c`,
          )} as graduated
        from (
          select at.chain_id, at.latest_checkpoint, l.bnb_usd_x8 is not null as has_rate,
            (left(at.latest_checkpoint, 10)::int8 / ${daySeconds}::int8 - ${days - 1}::int8) * ${daySeconds}::int8 as first_day
          from ${checkpoints} at left join ${launchpad} l on l.chain_id = at.chain_id
          where at.chain_id = ${chainId}
        ) d`,
  );
  return row;
}
