import { position, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { maxUint256 } from "../../domain/amounts.ts";
import { sqlInteger, sqlName } from "../database/columns.ts";
import { windowSeconds } from "./time.ts";

/*
 * Windows of any number of tokens in one query, without reading the trades in them: every trade carries the totals to date, so a
 * window is the difference between the totals now and those of the last trade before the window.
 *
 * The SQL is for a query with a curve as `c` and the chain's checkpoint as `at`. It has no parameters, so that it can be part of
 * prepared statements.
 */

/** Seconds since 1970 of the chain's last indexed block, where windows end. */
const asOfSeconds = sql`left(at.latest_checkpoint, 10)::int8`;

const lengths = Object.values(windowSeconds);
const windowStart = (seconds: number) => sql`${asOfSeconds} - ${sqlInteger(seconds)}`;

/** Rows `w` with the `start` of each window, the shortest first. The start is exclusive: a trade in that second is before it. */
export const windowStarts = sql`(values ${commaSeparated(
  lengths.map((seconds, index) => sql`(${sqlInteger(index)}, ${windowStart(seconds)})`),
)}) w(index, start)`;

/** For each window, counts the rows whose time is later than its start, as columns for json_build_array. */
export const countPerWindow = (time: SQL): SQL =>
  commaSeparated(lengths.map((seconds) => sql`count(*) filter (where ${time} > ${windowStart(seconds)})`));

/** When the longest window starts. */
export const longestStart = windowStart(Math.max(...lengths));

/** Whether the longest window has a trade. Most tokens have none, so there is nothing to look up. */
export const hasTradeInWindows = sql`c.last_trade_at > ${longestStart}`;

/** The last trade `x` of the curve's token up to a moment. Selects none if there was no trade after that moment. */
export const lastTradeUpTo = (moment: SQL, columns: SQL): SQL =>
  sql`select ${columns} from ${trade} x
    where c.last_trade_at > ${moment} and x.chain_id = c.chain_id and x.token = c.token and x.timestamp <= ${moment}
    order by x.timestamp desc, x.id desc limit 1`;

/** The price at a moment, from the last trade that left one: a trade that leaves none doesn't change the price. */
const lastPrice = (moment: SQL) => sql`(
    select ${priceAfter("x")} from ${trade} x
    where x.chain_id = c.chain_id and x.token = c.token and x.timestamp <= ${moment} and ${priceAfter("x")} is not null
    order by x.timestamp desc, x.id desc limit 1
  )`;

const priceBefore = sql`coalesce(${priceAfter("before")}, ${lastPrice(sql`w.start`)}, c.opening_price_bnb_x36)`;

/**
 * The price now divided by the price that many seconds ago, as a float8; 0 if there were no trades since, or no price to compare with:
 * a curve that never opened has none.
 */
export const priceChangeIn = (seconds: number): SQL => sql`case when c.last_trade_at > ${windowStart(seconds)}
  then coalesce(c.close_price_bnb_x36::float8
    / nullif(coalesce(${lastPrice(windowStart(seconds))}, c.opening_price_bnb_x36), 0)::float8, 0) else 0 end`;

/**
 * A token's state when a window began: buys, sells, volume in wei and in USD with 18 decimals, all to date, and the price with
 * 36 decimals. Null for a window without trades.
 */
export type TotalsBefore = [number, number, string, string, string] | null;

/** A token's totals to date, its totals before each window, and the traders in each. */
export type WindowsRow = TotalsRow & {
  /** The price after the last trade, with 36 decimals. */
  close_price_bnb_x36: string;
  last_trade_at: string | null;
  /** Both are null without trades in the longest window. */
  before_windows: TotalsBefore[] | null;
  /** The number of accounts that traded in each window. */
  traders_in_windows: number[] | null;
};

/** Totals of a token or of a launchpad, in wei and in USD with 18 decimals. */
export type TotalsRow = {
  buys_to_date: number;
  sells_to_date: number;
  volume_to_date_wei: string;
  volume_to_date_usd_x18: string;
};

/** For each window, {@link TotalsBefore}. */
export const totalsBeforeWindows = sql`case when ${hasTradeInWindows} then (
  select json_agg(case
      when c.last_trade_at <= w.start then null
      when before.id is null then json_build_array(0, 0, '0', '0', c.opening_price_bnb_x36::text)
      else json_build_array(before.buys_to_date, before.sells_to_date, before.volume_to_date_wei::text,
        before.volume_to_date_usd_x18::text, (${priceBefore})::text)
    end order by w.index)
  from ${windowStarts}
  left join lateral (
    ${lastTradeUpTo(
      sql`w.start`,
      sql`x.id, x.buys_to_date, x.sells_to_date, x.volume_to_date_wei, x.volume_to_date_usd_x18, x.bnb_reserves_wei,
        x.token_reserves_raw`,
    )}
  ) before on true) end`;

/**
 * When, in seconds since 1970, the next trade leaves a window, so that its values change even without a new trade. Null if no
 * window has a trade.
 */
export const windowsUntil = sql`case when ${hasTradeInWindows} then (
  select min(first.timestamp + ${asOfSeconds} - w.start) from ${windowStarts}
  join lateral (
    select x.timestamp from ${trade} x
    where c.last_trade_at > w.start and x.chain_id = c.chain_id and x.token = c.token and x.timestamp > w.start
    order by x.timestamp, x.id limit 1
  ) first on true) end`;

/** For each window, the number of accounts that traded in it. */
export const tradersInWindows = sql`case when ${hasTradeInWindows} then (
  select json_build_array(${countPerWindow(sql`p.last_trade_at`)}) from ${position} p
  where p.chain_id = c.chain_id and p.token = c.token and p.last_trade_at > ${longestStart}) end`;

/** The number of accounts that have traded the curve's token since a moment. */
export const tradersSince = (moment: SQL): SQL =>
  sql`(select count(*) from ${position} p
    where p.chain_id = c.chain_id and p.token = c.token and p.last_trade_at > ${moment})`;

function commaSeparated(columns: SQL[]): SQL {
  return sql.join(columns, sql`, `);
}

/**
 * The price after a trade, BNB per token with 36 decimals, computed like `priceBnbX36` in src/domain. Null if the trade left no
 * price: no tokens to divide by, or so little BNB that the price rounds to 0.
 *
 * @param trade the alias of the trade in the query
 */
export function priceAfter(trade: string): SQL {
  const bnb = sqlName(`${trade}.bnb_reserves_wei`);
  const tokens = sqlName(`${trade}.token_reserves_raw`);
  return sql`case when ${tokens} > 0
    then nullif(least(div(${bnb} * 1e36, ${tokens}), ${sqlInteger(maxUint256)}), 0) end`;
}
