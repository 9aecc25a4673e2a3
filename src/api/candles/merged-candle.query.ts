import { type SQL, sql } from "drizzle-orm";
import { maxUint256 } from "../../curve/amounts.ts";
import type { Columns } from "../database/columns.ts";
import { sqlInteger, sqlName } from "../database/sql-name.ts";
import { type Interval, termsOf } from "./intervals.ts";

/**
 * The columns of a candle that is made of shorter ones, `k` in the query, which groups by the first column. USD columns
 * are null where the shorter candles have none, and ignore those that have none.
 */
export function mergedCandle(interval: Interval): Columns {
  const { seconds, before1970 } = termsOf(interval);
  const openTime = sql`k.open_time - (k.open_time + ${sqlInteger(before1970)}) % ${sqlInteger(seconds)}`;
  return {
    open_time: openTime,
    open_bnb_x36: first("open_bnb_x36"),
    high_bnb_x36: sql`max(k.high_bnb_x36)`,
    low_bnb_x36: sql`min(k.low_bnb_x36)`,
    close_bnb_x36: last("close_bnb_x36"),
    volume_wei: total("volume_wei"),
    volume_raw: total("volume_raw"),
    trades: sql`sum(k.trades)::int4`,
    open_usd_x36: first("open_usd_x36"),
    high_usd_x36: sql`max(k.high_usd_x36)`,
    low_usd_x36: sql`min(k.low_usd_x36)`,
    close_usd_x36: last("close_usd_x36"),
    volume_usd_x18: total("volume_usd_x18"),
  };
}

const inOrder = (column: SQL) =>
  sql`array_agg(${column} order by k.open_time) filter (where ${column} is not null)`;

function first(name: string): SQL {
  return sql`(${inOrder(sqlName(`k.${name}`))})[1]`;
}

// All from one order: a descending one would have Postgres sort the candles again.
function last(name: string): SQL {
  const column = sqlName(`k.${name}`);
  return sql`(${inOrder(column)})[count(${column})]`;
}

/** Kept within what an ERC-20 can hold, as stored amounts are. */
function total(name: string): SQL {
  const column = sqlName(`k.${name}`);
  return sql`case when count(${column}) > 0 then least(sum(${column}), ${sqlInteger(maxUint256)}) end`;
}
