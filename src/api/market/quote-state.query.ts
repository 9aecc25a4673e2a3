import { curve, dexPair, holder, launchpad, token } from "ponder:schema";
import { eq, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

/** Everything that determines the price of a trade, all as of one block. Amounts are decimal strings in base units. */
export type QuoteStateRow = {
  virtual_bnb_reserves: string;
  virtual_token_reserves: string;
  tokens_sold: string;
  total_to_sell: string;
  graduation_bnb_reserves_wei: string;
  liquidity_wei: string;
  opened_block: string | null;
  graduated: boolean;
  pair: `0x${string}` | null;
  /** Of the pair; null before graduation. */
  bnb_reserves_wei: string | null;
  token_reserves_raw: string | null;
  total_supply_raw: string | null;
  launch_supply_raw: string | null;
  /** USD for one BNB, with 8 decimals. */
  bnb_usd_x8: string | null;
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
    sql`select c.virtual_bnb_reserves, c.virtual_token_reserves, c.tokens_sold, c.total_to_sell,
               c.graduation_bnb_reserves_wei, c.liquidity_wei, c.opened_block, c.graduated, c.pair,
               p.bnb_reserves_wei, p.token_reserves_raw,
               t.total_supply_raw, t.launch_supply_raw, l.bnb_usd_x8, h.balance_raw, at.latest_checkpoint
        from ${curve} c
        join ${checkpoints} at on at.chain_id = c.chain_id
        left join ${token} t on t.chain_id = c.chain_id and t.address = c.token
        left join ${dexPair} p on p.chain_id = c.chain_id and p.address = c.pair and p.token = c.token
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
