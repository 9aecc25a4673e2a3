import { launchpad } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../../../database/database.ts";
import type { IndexedChain } from "../../../ponder/index-state.query.ts";
import type { ChainFacts } from "./entry-changes.ts";

/** Reads what the entries of a chain have in common, by chain. */
export async function readChainFacts(db: Database, chains: IndexedChain[]): Promise<Map<number, ChainFacts>> {
  const found = await queryRows<{ chain_id: number; bnb_usd_x8: string | null }>(
    db,
    sql`select chain_id, bnb_usd_x8 from ${launchpad}`,
  );
  const rates = new Map(found.map(({ chain_id, bnb_usd_x8 }) => [chain_id, bnb_usd_x8]));
  return new Map(
    chains.map(({ chainId, written, timestamp }) => [
      chainId,
      { written, timestamp, rate: rates.get(chainId) ?? null },
    ]),
  );
}
