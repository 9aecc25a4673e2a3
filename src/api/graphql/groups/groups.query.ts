import { candle } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { type Columns, columnList } from "../../database/columns.ts";
import { mergedCandle } from "../../market/merged-candle.query.ts";
import { daySeconds } from "../../market/time.ts";
import { tradeSumColumns } from "../../market/trades.query.ts";
import { graphqlLimits } from "../limits.ts";
import { Parameters, type Statement } from "../read/column-list.ts";
import { conditionsOf } from "../read/statements.query.ts";
import type { ApiTable } from "../tables.ts";
import { type Days, indexedPart, type Where } from "./group-arguments.ts";

const dialect = new PgDialect();
const textOf = (column: SQL) => dialect.sqlToQuery(column).sql;

/** The sums of trades by the names of their fields. */
const tradeSums: Record<string, string> = {
  trades: "(count(*))::int",
  buys: "(count(*) filter (where side = 'buy'))::int",
  sells: textOf(tradeSumColumns.sells),
  profitableSells: textOf(tradeSumColumns.profitable_sells),
  traders: "(count(distinct trader))::int",
  tokens: "(count(distinct token))::int",
  volumeWei: textOf(tradeSumColumns.volume_wei),
  volumeUsdX18: textOf(tradeSumColumns.volume_usd_x18),
  realisedWei: textOf(tradeSumColumns.realised_wei),
  realisedUsdX18: textOf(tradeSumColumns.realised_usd_x18),
};

/** Reads one more than may be read, which shows that there are too many. */
const rowLimit = `limit ${graphqlLimits.groupedRows + 1}`;

export type TradeGroupsQuery = {
  table: ApiTable;
  where: Where;
  days: Days;
  by: string[];
  /** The sums to compute, besides those that every group has: trades and volumeWei. */
  sums: string[];
  limit: number;
  offset: number;
};

/**
 * Sums the trades of some days, of a trader or a token if `where` names one: an index finds them, and the other conditions are left to
 * the rows that were read. The first row has the sums of all groups.
 *
 * @returns the statement, and the names of its columns
 */
export function tradeGroupsStatement({ table, where, days, by, sums, limit, offset }: TradeGroupsQuery) {
  const parameters = new Parameters();
  const computed = [...new Set(["trades", "volumeWei", ...sums])];
  const keys = by.map((key) => `"${key}"`).join(", ");
  const otherKeys = by.filter((key) => key !== "day").map((key) => `"${key}"`);
  const order = [
    "is_total desc",
    ...(by.includes("day") ? ["day desc"] : []),
    '"volumeWei" desc',
    ...otherKeys,
  ];
  const index = indexedPart(table, where);
  const conditions = [
    ...conditionsOf(index.where, table, parameters),
    `"timestamp" >= ${parameters.add(days.first * daySeconds)}`,
    `"timestamp" < ${parameters.add((days.last + 1) * daySeconds)}`,
  ];
  // The order of the index keeps the planner from reading the whole table.
  const inOrder = index.isList ? "" : 'order by "timestamp"';
  const text = `with found as (
      select "timestamp" / ${daySeconds} as day, token, trader, venue, side, bnb_amount_wei, bnb_usd_x8, realised_wei,
        realised_usd_x18, ${allOf(conditionsOf(where, table, parameters))} as is_match
      from ${table.sqlName} where ${conditions.join(" and ")} ${inOrder} ${rowLimit}
    )
    select (select count(*) from found), ${keys}, ${computed.map((name) => `"${name}"`).join(", ")} from (
      select *, row_number() over (order by ${order.join(", ")}) as place from (
        select grouping("${by[0]}") as is_total, ${keys}, ${computed.map((name) => `${tradeSums[name]} as "${name}"`).join(", ")}
        from found where is_match group by grouping sets ((), (${keys}))
      ) sums
    ) groups where place = 1 or place between ${offset + 2} and ${offset + limit + 2} order by place`;
  return { text, values: parameters.values, columns: ["read", ...by, ...computed] };
}

/**
 * Sums the trades of each day from the running totals of its first and its last trade, of all tokens or of one: however many trades lie
 * between. Only before the feed's first answer have trades no rate, so the first trade of a day shows whether one is missing.
 *
 * @returns the statement, whose columns are `day` and `runningSums`
 */
export function runningGroupsStatement(table: ApiTable, where: Where, { first, last }: Days): Statement {
  const parameters = new Parameters();
  const conditions = conditionsOf(where, table, parameters).join(" and ");
  const all = where.token === undefined ? "launchpad_" : "";
  const edge = (direction: string) => `select side, bnb_amount_wei, bnb_usd_x8, ${all}buys_to_date as buys,
        ${all}sells_to_date as sells, ${all}volume_to_date_wei as volume, ${all}volume_to_date_usd_x18 as usd
      from ${table.sqlName} where ${conditions} and "timestamp" >= day * ${daySeconds} and "timestamp" < (day + 1) * ${daySeconds}
      order by "timestamp" ${direction}, id ${direction} limit 1`;
  const buys = "until.buys - since.buys + (since.side = 'buy')::int";
  const sells = "until.sells - since.sells + (since.side = 'sell')::int";
  const text = `select day, ${buys} + ${sells}, ${buys}, ${sells}, until.volume - since.volume + since.bnb_amount_wei,
      until.usd - since.usd + div(since.bnb_amount_wei * since.bnb_usd_x8, 100000000)
    from generate_series(${parameters.add(first)}::int8, ${parameters.add(last)}::int8) as day
    cross join lateral (${edge("asc")}) as since cross join lateral (${edge("desc")}) as until order by day desc`;
  return { text, values: parameters.values };
}

const sumOf = (name: string) => `coalesce(sum(${name}), 0)`;
const usdSumOf = (name: string) => `case when count(*) = count(${name}) then ${sumOf(name)} end`;

const positionSums: Record<string, string> = {
  positions: "(count(*))::int",
  accounts: "(count(distinct account))::int",
  tokens: "(count(distinct token))::int",
  profitable: "(count(*) filter (where realised_wei > 0))::int",
  losing: "(count(*) filter (where realised_wei < 0))::int",
  buys: sumOf("buys"),
  sells: sumOf("sells"),
  bnbSpentWei: sumOf("bnb_spent_wei"),
  bnbReceivedWei: sumOf("bnb_received_wei"),
  openCostWei: sumOf("open_cost_wei"),
  realisedWei: sumOf("realised_wei"),
  spentUsdX18: usdSumOf("spent_usd_x18"),
  receivedUsdX18: usdSumOf("received_usd_x18"),
  openCostUsdX18: usdSumOf("open_cost_usd_x18"),
  realisedUsdX18: usdSumOf("realised_usd_x18"),
};

/** Sums the positions of an account or a token, if `where` names one. Returns the statement, and the names of its columns. */
export function positionTotalsStatement(table: ApiTable, where: Where, names: string[]) {
  const parameters = new Parameters();
  const index = indexedPart(table, where);
  const conditions = conditionsOf(index.where, table, parameters);
  const inOrder = index.name === undefined || index.isList ? "" : "order by last_trade_at";
  const text = `with found as (
      select account, token, buys, sells, bnb_spent_wei, bnb_received_wei, open_cost_wei, realised_wei, spent_usd_x18,
        received_usd_x18, open_cost_usd_x18, realised_usd_x18, ${allOf(conditionsOf(where, table, parameters))} as is_match
      from ${table.sqlName} where ${conditions.join(" and ")} ${inOrder} ${rowLimit}
    )
    select (select count(*) from found), ${names.map((name) => positionSums[name]).join(", ")} from found where is_match`;
  return { text, values: parameters.values, columns: ["read", ...names] };
}

type DayCandlesQuery = { chainId: number; token: string; days: Days };

const fieldNameOf = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Merges a token's hours into days, the newest first. Returns the statement, and the names of its columns. */
export function dayCandlesStatement({ chainId, token, days: { first, last } }: DayCandlesQuery) {
  const merged: Columns = mergedCandle({ seconds: BigInt(daySeconds), epochOffset: 0n });
  const query = dialect.sqlToQuery(sql`select ${columnList(merged)} from ${candle} k
    where chain_id = ${chainId} and token = ${token} and interval = '1h'
      and open_time >= ${first * daySeconds} and open_time < ${(last + 1) * daySeconds}
    group by 1 order by 1 desc`);
  return { text: query.sql, values: query.params, columns: Object.keys(merged).map(fieldNameOf) };
}

const allOf = (conditions: string[]) => (conditions.length === 0 ? "true" : `(${conditions.join(" and ")})`);
