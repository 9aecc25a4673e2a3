import { curve, launchpad, token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

export const daySeconds = 86_400;

/** Of the launchpad to date, after some trade: buys, sells, volume in wei and in USD with 18 decimals. */
export type TotalsAfter = [number, number, string, string];

/** The totals of the days of a chain, the oldest first. The last one is the day of the last indexed block. */
export type DaysRow = {
  latest_checkpoint: string;
  has_rate: boolean;
  /** When the first day begins, in seconds since 1970. */
  first_day: string;
  /** Before the first trade of all these days; null where there was none. */
  before: TotalsAfter | null;
  /** After the last trade of each day; null where there was none. */
  after: (TotalsAfter | null)[];
  /** Counts by the day's place from 0; what is missing is 0. */
  created: Record<string, number> | null;
  graduated: Record<string, number> | null;
};

const totals = sql`json_build_array(x.launchpad_buys_to_date, x.launchpad_sells_to_date,
  x.launchpad_volume_to_date_wei::text, x.launchpad_volume_to_date_usd_x18::text)`;

/** Less what this trade itself added. */
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
 * Of each day, the totals to date after its last trade, which an index finds: no day's trades are read. Undefined before the first block is
 * indexed.
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
