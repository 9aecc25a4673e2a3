import { curve, holder, launchpad, position, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { PositionResultRow } from "../accounts/account.mapper.ts";
import { type Database, queryRows } from "../database/database.ts";
import { type DexFee, exitValue, valueAtPrice } from "../market/exit-value.query.ts";
import type { TraderOrder } from "./traders.routes.ts";

/** Balances in base units. */
export type TraderRow = PositionResultRow & {
  balance_raw: string | null;
  creator: string | null;
  early_block: number | null;
  insider_hops: number | null;
};

export type TradersQuery = DexFee & { chainId: number; mint: Address; sort: TraderOrder; limit: number };

/** Reads a token's first traders in an order, largest value first. It reads all of the token's traders, but none who only received it. */
export async function readTraders(
  db: Database,
  { chainId, mint, sort, limit, dexFee }: TradersQuery,
): Promise<TraderRow[]> {
  const price = sql`coalesce((select price_bnb_x36 from ${curve} where chain_id = ${chainId} and token = ${mint}), 0)`;
  const orders: Record<TraderOrder, SQL> = {
    realised: sql`realised_wei`,
    unrealised: sql`${valueAtPrice(sql`open_tokens_raw`, price)} - open_cost_wei`,
    volume: sql`bnb_spent_wei + bnb_received_wei`,
    bought: sql`bnb_spent_wei`,
    sold: sql`bnb_received_wei`,
  };
  const sale = { chainId, mint: sql`made.token`, tokens: sql`made.open_tokens_raw`, dexFee };
  return await queryRows<TraderRow>(
    db,
    sql`select made.*, ${exitValue(sale)}::text as exit, coalesce(c.price_bnb_x36, 0)::text as price_bnb_x36, l.bnb_usd_x8,
          t.creator, h.balance_raw::text as balance_raw, h.insider_hops, h.early_block
        from (select *, row_number() over (order by ${orders[sort]} desc, account desc) as rank from ${position}
              where chain_id = ${chainId} and token = ${mint} and last_trade_at is not null
              order by rank limit ${limit}) made
        left join ${token} t on t.chain_id = ${chainId} and t.address = ${mint}
        left join ${curve} c on c.chain_id = ${chainId} and c.token = ${mint}
        left join ${launchpad} l on l.chain_id = ${chainId}
        left join lateral (${holderOf}) h on true
        order by made.rank`,
  );
}

/** The trader's holding. The limit keeps Postgres from reading all holdings of the token for a join. */
const holderOf = sql`select balance_raw, insider_hops, early_block from ${holder} o
    where o.chain_id = made.chain_id and o.token = made.token and o.account = made.account limit 1`;
