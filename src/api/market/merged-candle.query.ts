import { type SQL, sql } from "drizzle-orm";
import { maxUint256 } from "../../domain/amounts.ts";
import { type Columns, sqlInteger, sqlName } from "../database/columns.ts";

/** The length of merged candles, and how many seconds before 1970 the one that contains its start began. */
type MergedLength = { seconds: bigint; epochOffset: bigint };

/**
 * The columns of a candle that is merged from shorter ones (`k`), for a query that groups by the first column. USD columns ignore
 * shorter candles without a value, and are null if none has one.
 */
export function mergedCandle({ seconds, epochOffset }: MergedLength): Columns {
  const openTime = sql`k.open_time - (k.open_time + ${sqlInteger(epochOffset)}) % ${sqlInteger(seconds)}`;
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

// Uses the ascending order of `first` too: a descending one would make Postgres sort the candles again.
function last(name: string): SQL {
  const column = sqlName(`k.${name}`);
  return sql`(${inOrder(column)})[count(${column})]`;
}

/** Capped at what an ERC-20 can hold, like stored amounts. */
function total(name: string): SQL {
  const column = sqlName(`k.${name}`);
  return sql`case when count(${column}) > 0 then least(sum(${column}), ${sqlInteger(maxUint256)}) end`;
}
