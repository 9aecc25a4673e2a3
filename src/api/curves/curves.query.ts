import { curve, launchpadTotals } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

/** A bonding curve. Amounts are decimal strings in base units. */
export type CurveRow = {
  chain_id: number;
  token: string;
  burn_percent: number;
  virtual_bnb_reserves: string;
  virtual_token_reserves: string;
  real_token_reserves: string;
  tokens_sold: string;
  total_to_sell: string;
  progress: number;
  graduated: boolean;
  pair: string | null;
  price_x36: string;
  latest_checkpoint: string;
  /** USD for one BNB with 8 decimals, the last answer; null without a price feed. */
  bnb_usd_x8: string | null;
};

export async function readCurve(db: Database, chainId: number, mint: string): Promise<CurveRow | undefined> {
  const [row] = await queryRows<CurveRow>(
    db,
    sql`select c.*, at.latest_checkpoint, l.bnb_usd_x8 from ${curve} c
        join ${checkpoints} at on at.chain_id = c.chain_id
        left join ${launchpadTotals} l on l.chain_id = c.chain_id
        where c.chain_id = ${chainId} and c.token = ${mint}`,
  );
  return row;
}

export type CurveProgressRow = Pick<CurveRow, "token" | "progress" | "graduated">;

/** Those of the mints that have a curve, in no order. */
export async function readCurveProgress(db: Database, chainId: number, mints: string[]) {
  return await queryRows<CurveProgressRow>(
    db,
    sql`select token, progress, graduated from ${curve}
        where chain_id = ${chainId} and token = any(${sql.param(mints)}::text[])`,
  );
}
