import { curve, dexPair, holder, launchpad, token } from "ponder:schema";
import { eq, sql } from "drizzle-orm";
import { columnList, type RowOf } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

/**
 * What determines the price of a trade: columns of the curve `c`, its pair `p`, the token `t` and the launchpad `l`. In base units.
 * Selected together, they are as of one block.
 */
export const marketColumns = {
  virtual_bnb_reserves: sql<string>`c.virtual_bnb_reserves`,
  virtual_token_reserves: sql<string>`c.virtual_token_reserves`,
  tokens_sold: sql<string>`c.tokens_sold`,
  total_to_sell: sql<string>`c.total_to_sell`,
  graduation_bnb_reserves_wei: sql<string>`c.graduation_bnb_reserves_wei`,
  liquidity_wei: sql<string>`c.liquidity_wei`,
  opened_block: sql<string | null>`c.opened_block`,
  graduated: sql<boolean>`c.graduated`,
  pair: sql<`0x${string}` | null>`c.pair`,
  /** Of the pair; null before graduation. */
  bnb_reserves_wei: sql<string | null>`p.bnb_reserves_wei`,
  token_reserves_raw: sql<string | null>`p.token_reserves_raw`,
  total_supply_raw: sql<string | null>`t.total_supply_raw`,
  launch_supply_raw: sql<string | null>`t.launch_supply_raw`,
  /** USD for one BNB, with 8 decimals. */
  bnb_usd_x8: sql<string | null>`l.bnb_usd_x8`,
};

export type MarketRow = RowOf<typeof marketColumns>;

/** SQL: joins the pair `p` of a curve `c`. */
export const joinPair = sql`left join ${dexPair} p
  on p.chain_id = c.chain_id and p.address = c.pair and p.token = c.token`;

export type QuoteStateRow = MarketRow & {
  /** The balance of the given account. */
  balance_raw: string | null;
  latest_checkpoint: string;
};

export async function readQuoteState(
  db: Database,
  { chainId, mint, account }: { chainId: number; mint: string; account: string | undefined },
): Promise<QuoteStateRow | undefined> {
  const [row] = await queryRows<QuoteStateRow>(
    db,
    sql`select ${columnList(marketColumns)}, h.balance_raw, at.latest_checkpoint
        from ${curve} c
        join ${checkpoints} at on at.chain_id = c.chain_id
        left join ${token} t on t.chain_id = c.chain_id and t.address = c.token
        ${joinPair}
        left join ${launchpad} l on l.chain_id = c.chain_id
        left join ${holder} h
          on h.chain_id = c.chain_id and h.token = c.token and h.account = ${account ?? ""}
        where c.chain_id = ${chainId} and c.token = ${mint}`,
  );
  return row;
}

/** Reads the chain's latest BNB/USD rate, with 8 decimals; null without a price feed. */
export async function readBnbUsd(db: Database, chainId: number): Promise<bigint | null> {
  const [row] = await db
    .select({ bnbUsdX8: launchpad.bnbUsdX8 })
    .from(launchpad)
    .where(eq(launchpad.chainId, chainId));
  return row?.bnbUsdX8 ?? null;
}
