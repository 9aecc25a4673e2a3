import { holder, pastBalance } from "ponder:schema";
import { sql } from "drizzle-orm";
import type { Address } from "viem";
import { type Database, queryRows } from "../database/database.ts";
import { daySeconds } from "../market/time.ts";

export type HolderDaysQuery = {
  chainId: number;
  mint: Address;
  /** Numbers of days since 1970 in UTC. */
  firstDay: number;
  lastDay: number;
  /** The day on which the token graduated; null before. Its DEX pair counts as a holder on the days before. */
  graduatedDay: number | null;
  /** The most balances to read, one per holder and day: the days before are left out. The last day is read in any case. */
  maxBalances: number;
};

/** The balances at the end of a day, in base units: their number, sum and sum of squares, and the sum of the ten largest. */
export type HolderDayRow = {
  day: number;
  holders: number;
  circulating: string;
  squares: string;
  top10: string;
  /** The first day that is read. */
  first_day: number;
};

/** Reads what accounts held at the end of each day, the last day so far. Days without holders have no row. */
export async function readHolderDays(
  db: Database,
  { chainId, mint, firstDay, lastDay, graduatedDay, maxBalances }: HolderDaysQuery,
): Promise<HolderDayRow[]> {
  const dayAfter = sql`case when h.kind = 'pair' then ${graduatedDay ?? lastDay + 1}::int else ${lastDay + 1}::int end`;
  return await queryRows(
    db,
    sql`with span as materialized (
          select greatest((h.changed_at / ${daySeconds}::int8)::int, ${firstDay}::int) as from_day, ${dayAfter} as until_day, h.balance_raw
          from ${holder} h
          where h.chain_id = ${chainId} and h.token = ${mint} and h.kind in ('account', 'pair') and h.balance_raw > 0
          union all
          select greatest(p.from_day, ${firstDay}::int), least(p.until_day, ${dayAfter}), p.balance_raw
          from ${holder} h cross join lateral (
            select * from ${pastBalance} p
            where p.chain_id = h.chain_id and p.token = h.token and p.account = h.account and p.until_day > ${firstDay}
            offset 0
          ) p
          where h.chain_id = ${chainId} and h.token = ${mint} and h.kind in ('account', 'pair')
            and h.changed_at >= ${(firstDay + 1) * daySeconds}::int8
        ), change as materialized (
          select day, sum(change) as change
          from span cross join lateral (values (from_day, 1), (until_day, -1)) change (day, change)
          where from_day < until_day group by day
        ), holders as (
          select day, (select sum(change) from change c where c.day <= d.day) as holders
          from generate_series(${firstDay}::int, ${lastDay}::int) d (day)
        ), answered as (
          select min(day) as first_day
          from (select day, sum(holders) over (order by day desc) as balances from holders) read
          where balances <= ${maxBalances} or day = ${lastDay}
        )
        select a.first_day, day, count(*)::int as holders, sum(balance_raw) as circulating,
          sum(balance_raw * balance_raw) as squares,
          (select sum(largest) from unnest((array_agg(balance_raw order by balance_raw desc))[1:10]) largest) as top10
        from answered a cross join span
        cross join lateral generate_series(greatest(from_day, a.first_day), until_day - 1) day
        group by a.first_day, day`,
  );
}
