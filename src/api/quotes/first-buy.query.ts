import { launchpad } from "ponder:schema";
import { eq } from "drizzle-orm";
import type { Database } from "../database/database.ts";

/** USD for one BNB with 8 decimals, as the chain's price feed said last; null without one. */
export async function readBnbUsd(db: Database, chainId: number): Promise<bigint | null> {
  const [row] = await db
    .select({ bnbUsdX8: launchpad.bnbUsdX8 })
    .from(launchpad)
    .where(eq(launchpad.chainId, chainId));
  return row?.bnbUsdX8 ?? null;
}
