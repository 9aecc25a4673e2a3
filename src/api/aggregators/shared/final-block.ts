import { nothingIndexed } from "../../chain/not-found.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { type FinalBlock, readFinalBlock } from "./final-rows.query.ts";

/** The last block that aggregators get data of. Throws a 503 problem until something is indexed. */
export async function getFinalBlock(db: PooledDatabase, chainId: number): Promise<FinalBlock> {
  const final = await readFinalBlock(db, chainId);
  if (final !== undefined) return final;
  throw nothingIndexed(chainId);
}
