import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";

/** Why what this process serves is wrong. */
export type Repair = {
  chainId: number;
  /** The first block whose history is wrong. */
  fromBlock: number;
  reason: string;
  /** The schema that is, or was, indexed instead; null until that begins. */
  repairedIn: string | null;
};

type Row = { chain_id: number; from_block: string; reason: string; repaired_in: string | null };

/** Reads the last repair that this process's schema needs; undefined if it needs none. */
export async function readRepair(db: Database): Promise<Repair | undefined> {
  const [row] = await queryRows<Row>(
    db,
    sql`select chain_id, from_block, reason, repaired_in from offchain.repair_request
        where repaired_in is null or ${onchainSchema} = any(stale) order by id desc limit 1`,
  );
  if (row === undefined) return undefined;
  const { chain_id, from_block, reason, repaired_in } = row;
  return { chainId: chain_id, fromBlock: Number(from_block), reason, repairedIn: repaired_in };
}
