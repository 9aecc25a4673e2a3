import type pg from "pg";
import { literal, statement } from "../../offchain/statement.ts";
import type { FinalChain } from "../../runtime/ponder/final-rows.ts";
import type { DayOfChain } from "../tables/tables.ts";

const daySeconds = 86_400;

/** Returns the UTC date of a time in seconds since 1970. */
export const dateOf = (seconds: number) => new Date(1_000 * seconds).toISOString().slice(0, 10);

/** Lists a chain's completely final days in order, from the first that has any rows. */
export async function finalDays(
  client: pg.ClientBase,
  schema: string,
  { chainId, timestamp }: FinalChain,
): Promise<DayOfChain[]> {
  const chain = literal(String(chainId));
  // Ids are in chronological order.
  const firstOf = statement`select min(timestamp) as first from (
    (select timestamp from ${schema}.trade where chain_id = ${chain} order by id limit 1)
    union all (select timestamp from ${schema}.liquidity_change where chain_id = ${chain} order by id limit 1)
    union all (select timestamp from ${schema}.transfer where chain_id = ${chain} order by id limit 1)
    union all (select timestamp from ${schema}.bnb_usd_answer where chain_id = ${chain} order by id limit 1)) firsts`;
  const { rows } = await client.query<{ first: string | null }>(firstOf);
  const first = rows[0]?.first;
  if (first === undefined || first === null) return [];
  const days: DayOfChain[] = [];
  for (let start = startOfDay(Number(first)); start + daySeconds <= timestamp; start += daySeconds) {
    days.push({ chainId, start, end: start + daySeconds });
  }
  return days;
}

const startOfDay = (seconds: number) => seconds - (seconds % daySeconds);
