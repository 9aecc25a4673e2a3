import { account, earlyBuyer, holder } from "ponder:schema";
import { sql } from "drizzle-orm";
import { sqlName } from "../database/sql-name.ts";

/** Who holds a token. Balances are decimal strings of base units. */
export type RiskRow = {
  creator_balance: string | null;
  /** Of the ten accounts that hold the most. */
  top10_balance: string;
  /** How many there are, and what they hold now. */
  early_buyers: [number, string];
};

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

/** The columns of {@link RiskRow}, for a query that has the token as `t`. No parameters. */
export const riskColumns = sql`
  ${balanceOf("t", "address", "creator")} as creator_balance,
  (select coalesce(sum(largest.balance), 0) from (
     select h.balance from ${holder} h
     where h.chain_id = t.chain_id and h.token = t.address and h.balance > 0 and h.kind = 'account'
     order by h.balance desc limit 10) largest) as top10_balance,
  (select json_build_array(count(*), coalesce(sum(${balanceOf("e", "token", "account")}), 0)::text)
   from ${earlyBuyer} e where e.chain_id = t.chain_id and e.token = t.address) as early_buyers`;

/** What the creator of a token has done as a creator. */
export type CreatorRecordRow = {
  tokens_created: number;
  tokens_graduated: number;
  tokens_sold_out: number;
};

/** The columns of {@link CreatorRecordRow}, for a query that has the creator's account as `a`, or null. */
export const creatorRecordColumns = sql`coalesce(a.tokens_created, 0) as tokens_created,
  coalesce(a.tokens_graduated, 0) as tokens_graduated, coalesce(a.tokens_sold_out, 0) as tokens_sold_out`;

/** Joins a token `t` with its creator's account `a`. */
export const creatorAccount = sql`left join ${account} a on a.chain_id = t.chain_id and a.address = t.creator`;
