import { launchpad } from "ponder:schema";
import { eq } from "drizzle-orm";
import type { Database } from "../database/database.ts";

/** Reads the chain's latest BNB/USD rate, with 8 decimals; null without a price feed. */
export async function readBnbUsd(db: Database, chainId: number): Promise<bigint | null> {
  const [row] = await db
    .select({ bnbUsdX8: launchpad.bnbUsdX8 })
    .from(launchpad)
    .where(eq(launchpad.chainId, chainId));
  return row?.bnbUsdX8 ?? null;
}
