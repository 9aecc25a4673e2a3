import { account, earlyBuyer, holder } from "ponder:schema";
import { sql } from "drizzle-orm";
import type { RowOf } from "../database/columns.ts";
import { sqlName } from "../database/sql-name.ts";

/**
 * A balance, read by the primary key whatever the planner thinks: the first row at or after the account is the account's or
 * there is none. Asked for the account alone, Postgres may go by the index of accounts, where one that buys every
 * token has as many rows.
 */
const balanceOf = (alias: string, token: string, account: string) => {
  const [of, mint, holding] = [alias, `${alias}.${token}`, `${alias}.${account}`].map((name) =>
    sqlName(name),
  );
  return sql`(select case when h.account = ${holding} and h.kind = 'account' then h.balance end from ${holder} h
    where h.chain_id = ${of}.chain_id and h.token = ${mint} and h.account >= ${holding} order by h.account limit 1)`;
};

/** Who holds a token, for a query that has it as `t`. No parameters. Balances are decimal strings of base units. */
export const riskColumns = {
  creator_balance: sql<string | null>`${balanceOf("t", "address", "creator")}`,
  /** Of the ten accounts that hold the most. */
  top10_balance: sql<string>`(select coalesce(sum(largest.balance), 0) from (
     select h.balance from ${holder} h
     where h.chain_id = t.chain_id and h.token = t.address and h.balance > 0 and h.kind = 'account'
     order by h.balance desc limit 10) largest)`,
  /** How many there are, and what they hold now. */
  early_buyers: sql<
    [number, string]
  >`(select json_build_array(count(*), coalesce(sum(${balanceOf("e", "token", "account")}), 0)::text)
   from ${earlyBuyer} e where e.chain_id = t.chain_id and e.token = t.address)`,
};

export type RiskRow = RowOf<typeof riskColumns>;

/** What a creator of tokens has done as one, for a query that has the creator's account as `a`, or null. */
export const creatorRecordColumns = {
  tokens_created: sql<number>`coalesce(a.tokens_created, 0)`,
  tokens_graduated: sql<number>`coalesce(a.tokens_graduated, 0)`,
  tokens_sold_out: sql<number>`coalesce(a.tokens_sold_out, 0)`,
};

export type CreatorRecordRow = RowOf<typeof creatorRecordColumns>;

/** Joins a token `t` with its creator's account `a`. */
export const creatorAccount = sql`left join ${account} a on a.chain_id = t.chain_id and a.address = t.creator`;
