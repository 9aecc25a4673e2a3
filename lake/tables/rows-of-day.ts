import { literal, statement } from "../../offchain/statement.ts";
import type { DayOfChain } from "./tables.ts";

/*
 * SQL for the rows of a day. All are found by indexes, because the cost of a day must not grow with the table. DuckDB sorts them.
 */

const bounds = ({ chainId, start, end }: DayOfChain) =>
  [literal(String(chainId)), literal(String(start)), literal(String(end))] as const;

export function tradesOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.trade r where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

export function liquidityOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.liquidity_change r
    where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

export function transfersOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.transfer r where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

export function pastBalancesOfDay(schema: string, day: DayOfChain): string {
  const chain = literal(String(day.chainId));
  const untilDay = literal(String(day.start / 86_400));
  return statement`from ${schema}.past_balance r where chain_id = ${chain} and until_day = ${untilDay}`;
}

/** There are so few that reading the whole table is fine. */
export function answersOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.bnb_usd_answer r
    where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

/** Candles only have an index by token, not by time; the tokens with candles are those with trades. */
export function candlesOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from (select distinct token from ${schema}.trade
      where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}) traded
    cross join (values ('1m'), ('1h')) as lengths (interval)
    cross join lateral (select * from ${schema}.candle c where c.chain_id = ${chain} and c.token = traded.token
      and c.interval = lengths.interval and c.open_time >= ${start} and c.open_time < ${end} offset 0) r`;
}

/** An early buyer's first buy is a trade in its block. */
export function earlyBuyersOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from (select distinct token, trader, block from ${schema}.trade
      where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end} and side = 'buy') bought
    cross join lateral (select * from ${schema}.early_buyer e where e.chain_id = ${chain} and e.token = bought.token
      and e.account = bought.trader and e.block = bought.block offset 0) r`;
}
