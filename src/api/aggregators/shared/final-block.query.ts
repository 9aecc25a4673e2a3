import { sql } from "drizzle-orm";
import { type PooledDatabase, prepareRows } from "../../database/database.ts";
import { checkpointBlock, checkpoints, checkpointTime } from "../../ponder/index-state.query.ts";

/** Nothing up to here can be taken back, neither by a reorg nor by a crash of the indexer. Times in seconds. */
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

/** The last block of which all is final, or undefined as long as nothing is indexed. */
export async function readFinalBlock(db: PooledDatabase, chainId: number): Promise<FinalBlock | undefined> {
  const [row] = await finalBlock(db, [chainId]);
  // Ponder begins with the place before everything in the start block.
  if (row === undefined || /^0*$/.test(row.safe.slice(42))) return undefined;
  return {
    block: checkpointBlock(row.safe),
    timestamp: checkpointTime(row.safe),
    now: checkpointTime(row.latest),
  };
}
