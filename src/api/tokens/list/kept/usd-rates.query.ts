import { launchpad } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../../../database/database.ts";

/** USD for one BNB with 8 decimals by chain: its price feed's last answer. */
export async function readUsdRates(db: Database): Promise<Map<number, string | null>> {
  const found = await queryRows<{ chain_id: number; bnb_usd_x8: string | null }>(
    db,
    sql`select chain_id, bnb_usd_x8 from ${launchpad}`,
  );
  return new Map(found.map(({ chain_id, bnb_usd_x8 }) => [chain_id, bnb_usd_x8]));
}
