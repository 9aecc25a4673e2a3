import { account, earlyBuyer, holder } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import type { RowOf } from "../database/columns.ts";

/**
 * An early buyer's balance. Selects the first row at or after the account, which either is the account's or shows that there is
 * none: this forces the planner to use the primary key. With a plain equality, Postgres may choose the index by account, in
 * which an account that buys every token has a row for each.
 */
const earlyBalance = sql`(select case when h.account = e.account and h.kind = 'account' then h.balance_raw end from ${holder} h
    where h.chain_id = e.chain_id and h.token = e.token and h.account >= e.account order by h.account limit 1)`;

/**
 * Columns about a token's holders, for a query with the token as `t` and its curve, or null, as `c`. They have no parameters.
 * Balances are decimal strings in base units.
 */
export const riskColumns = {
  circulating_raw: sql<string>`t.circulating_raw`,
  balance_squares_raw: sql<string>`t.balance_squares_raw`,
  /** Null if the creator never held any. */
  creator_balance_raw: sql<string | null>`t.creator_balance_raw`,
  insiders: sql<number>`t.insiders`,
  insider_balance_raw: sql<string>`t.insider_balance_raw`,
  insider_received_raw: sql<string>`t.insider_received_raw`,
  sniper_balance_raw: sql<string>`t.sniper_balance_raw`,
  bundler_balance_raw: sql<string>`t.bundler_balance_raw`,
  /** Wei that buys paid: all, the creator's, and those in the block in which the curve opened. */
  bought_to_date_wei: sql<string>`coalesce(c.bought_to_date_wei, 0)`,
  creator_bought_to_date_wei: sql<string>`coalesce(c.creator_bought_to_date_wei, 0)`,
  opening_bought_wei: sql<string>`coalesce(c.opening_bought_wei, 0)`,
  /** Whether the creator made the graduating buy; null before graduation. */
  creator_graduated: sql<
    boolean | null
  >`case when c.graduated then coalesce(c.graduated_by = t.creator, false) end`,
  /** The sum of the ten largest balances. */
  top10_balance: sql<string>`(select coalesce(sum(largest.balance_raw), 0) from (
     select h.balance_raw from ${holder} h
     where h.chain_id = t.chain_id and h.token = t.address and h.balance_raw > 0 and h.kind = 'account'
     order by h.balance_raw desc limit 10) largest)`,
  /** Early buyers with what they hold, and those of them that are snipers and bundlers with what they bought in the first three blocks. */
  early_buyers: sql<
    Record<"all" | "snipers" | "bundlers", EarlyGroup>
  >`(select json_build_object('all', ${earlyGroup(sql`true`, sql`balance`)},
       'snipers', ${earlyGroup(sql`not is_creator`, sql`bought_raw`)},
       'bundlers', ${earlyGroup(sql`not is_creator and is_first`, sql`bought_raw`)})
   from (select ${earlyBalance} as balance, e.bought_raw, e.account = t.creator as is_creator, e.block = c.opened_block as is_first
     from ${earlyBuyer} e where e.chain_id = t.chain_id and e.token = t.address) e)`,
};

/** How many they are, and base units. */
type EarlyGroup = [accounts: number, amountRaw: string];

/** Counts the early buyers that fulfil a condition, and sums an amount of theirs. */
function earlyGroup(condition: SQL, amount: SQL): SQL {
  return sql`json_build_array(count(*) filter (where ${condition}), coalesce(sum(${amount}) filter (where ${condition}), 0)::text)`;
}

export type RiskRow = RowOf<typeof riskColumns>;

/** A creator's record, for a query with the creator's account, or null, as `a`. */
export const creatorRecordColumns = {
  tokens_created: sql<number>`coalesce(a.tokens_created, 0)`,
  tokens_graduated: sql<number>`coalesce(a.tokens_graduated, 0)`,
  tokens_sold_out: sql<number>`coalesce(a.tokens_sold_out, 0)`,
};

export type CreatorRecordRow = RowOf<typeof creatorRecordColumns>;

/** Joins a token `t` with its creator's account `a`. */
export const creatorAccount = sql`left join ${account} a on a.chain_id = t.chain_id and a.address = t.creator`;
