import { curve, launchpad, token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { daySeconds } from "../market/time.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

/** The launchpad's totals to date after a trade: buys, sells, volume in wei and in USD with 18 decimals. */
export type LaunchpadTotals = [number, number, string, string];

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

/** The totals before a trade: those after it, less its own contribution. */
const totalsBefore = sql`json_build_array(
  x.launchpad_buys_to_date - (x.side = 'buy')::int, x.launchpad_sells_to_date - (x.side = 'sell')::int,
  (x.launchpad_volume_to_date_wei - x.bnb_amount_wei)::text,
  (x.launchpad_volume_to_date_usd_x18 - coalesce(div(x.bnb_amount_wei * x.bnb_usd_x8, 100000000), 0))::text)`;

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
          (select ${totalsBefore} from ${trade} x where x.chain_id = d.chain_id and x.timestamp >= d.first_day
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
