import { PgDialect } from "drizzle-orm/pg-core";
import { checkpointBlock, checkpointTime } from "../../../../config/parse.ts";
import { checkpoints } from "../../ponder/index-state.query.ts";
import type { ReadRows } from "./read-rows.ts";

const { sql: checkpointTable } = new PgDialect().sqlToQuery(checkpoints);

type Block = { number: number; timestamp: number };
type IndexStatus = Record<string, { id: number; block: Block; final: Block }>;

/** Reads Ponder's `_meta`: how far each chain is indexed, and how far that is final, by chain name. Times are in seconds. */
export async function readIndexStatus(read: ReadRows): Promise<{ status: IndexStatus }> {
  const rows = await read({
    text: `select chain_name, chain_id, latest_checkpoint, safe_checkpoint from ${checkpointTable} order by chain_id`,
    values: [],
  });
  const status = rows.map(([name, id, latest, safe]): [string, IndexStatus[string]] => [
    String(name),
    { id: Number(id), block: toBlock(latest), final: toBlock(safe) },
  ]);
  return { status: Object.fromEntries(status) };
}

function toBlock(checkpoint: unknown): Block {
  const text = String(checkpoint);
  return { number: checkpointBlock(text), timestamp: checkpointTime(text) };
}
