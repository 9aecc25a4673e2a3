import { curve, holder } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { valueAtPrice } from "../market/exit-value.query.ts";

/** An account on a chain, optionally restricted to one token. */
export type AccountScope = { chainId: number; account: string; mint?: string };

/** Selects the account's balances above 0 with their values. */
export function selectHoldings({ chainId, account: address, mint }: AccountScope): SQL {
  const tokenCondition = mint === undefined ? sql`` : sql`and b.token = ${mint}`;
  // `offset 0` keeps the planner from computing the value again wherever it is used.
  return sql`select token, balance_raw, ${valueAtPrice(sql`balance_raw`, priceOf(sql`b`))} as value from ${holder} b
             where b.chain_id = ${chainId} and b.account = ${address} ${tokenCondition} and b.balance_raw > 0 and b.kind = 'account' offset 0`;
}

// A subquery, since a join may read all curves for an account that holds many tokens.
function priceOf(row: SQL): SQL {
  return sql`coalesce((select c.price_bnb_x36 from ${curve} c
                       where c.chain_id = ${row}.chain_id and c.token = ${row}.token), 0)`;
}
