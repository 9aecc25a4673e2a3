import { sql } from "drizzle-orm";
import { type PooledDatabase, prepareRows } from "../../database/database.ts";
import { checkpointBlock, checkpoints, checkpointTime } from "../../ponder/index-state.query.ts";

/** The last block that neither a reorg nor a crash of the indexer can revert. Times in seconds. */
export type FinalBlock = {
  block: number;
  timestamp: number;
  /** When the last indexed block was mined, final or not. */
  now: number;
};

const finalBlock = prepareRows<{ safe: string; latest: string }>(
  "final_block",
  () => sql`select safe_checkpoint as safe, latest_checkpoint as latest from ${checkpoints}
            where chain_id = ${sql.placeholder("chain")}`,
);

/** Returns undefined until something is indexed. */
export async function readFinalBlock(db: PooledDatabase, chainId: number): Promise<FinalBlock | undefined> {
  const [row] = await finalBlock(db, [chainId]);
  // Ponder starts with the checkpoint before everything in the start block.
  if (row === undefined || /^0*$/.test(row.safe.slice(42))) return undefined;
  return {
    block: checkpointBlock(row.safe),
    timestamp: checkpointTime(row.safe),
    now: checkpointTime(row.latest),
  };
}
