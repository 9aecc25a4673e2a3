import { curve, launchpad, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { countPerWindow, longestStart, type TotalsRow, windowStarts } from "../market/windows.query.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

/** The launchpad's totals before a window: buys, sells, volume in wei and in USD with 18 decimals. */
type LaunchpadTotalsBefore = [number, number, string, string];

/** The totals of a chain. */
export type StatsRow = TotalsRow & {
  latest_checkpoint: string;
  tokens: number;
  graduated: number;
  /** Wei. */
  in_curves_wei: string;
  /** USD for one BNB with 8 decimals: the price feed's last answer, and its time in seconds since 1970. */
  bnb_usd_x8: string | null;
  bnb_usd_at: string | null;
  before_windows: (LaunchpadTotalsBefore | null)[];
  created_in_windows: number[];
  graduated_in_windows: number[];
};

/** Null if the last trade is before the window, which saves looking up the totals before it. */
const totalsBefore = sql`(
  select json_agg(case
      when last.timestamp > w.start then json_build_array(coalesce(before.launchpad_buys_to_date, 0),
        coalesce(before.launchpad_sells_to_date, 0), coalesce(before.launchpad_volume_to_date_wei, 0)::text,
        coalesce(before.launchpad_volume_to_date_usd_x18, 0)::text)
    end order by w.index)
  from ${windowStarts}
  left join lateral (
    select x.timestamp from ${trade} x where x.chain_id = at.chain_id order by x.id desc limit 1
  ) last on true
  left join lateral (
    select x.launchpad_buys_to_date, x.launchpad_sells_to_date, x.launchpad_volume_to_date_wei,
      x.launchpad_volume_to_date_usd_x18
    from ${trade} x
    where last.timestamp > w.start and x.chain_id = at.chain_id and x.timestamp <= w.start
    order by x.timestamp desc, x.id desc limit 1
  ) before on true)`;

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
