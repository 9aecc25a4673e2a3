import { nothingIndexed } from "../../chain/nothing-indexed.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { type FinalBlock, readFinalBlock } from "./final-block.query.ts";

/** The last block that aggregators are told of. Throws a 503 problem as long as nothing is indexed. */
export async function finalBlockOf(db: PooledDatabase, chainId: number): Promise<FinalBlock> {
  const final = await readFinalBlock(db, chainId);
  if (final !== undefined) return final;
  throw nothingIndexed(chainId);
}
