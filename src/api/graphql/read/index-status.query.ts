import { PgDialect } from "drizzle-orm/pg-core";
import { checkpointBlock, checkpoints, checkpointTime } from "../../ponder/index-state.query.ts";
import type { ReadRows } from "./read-rows.ts";

const { sql: checkpointTable } = new PgDialect().sqlToQuery(checkpoints);

type IndexStatus = Record<string, { id: number; block: { number: number; timestamp: number } }>;

/** Reads Ponder's `_meta`: how far each chain is indexed, by chain name. Times are in seconds. */
export async function readIndexStatus(read: ReadRows): Promise<{ status: IndexStatus }> {
  const rows = await read({
    text: `select chain_name, chain_id, latest_checkpoint from ${checkpointTable} order by chain_id`,
    values: [],
  });
  const status = rows.map(([name, id, checkpoint]): [string, IndexStatus[string]] => [
    String(name),
    {
      id: Number(id),
      block: { number: checkpointBlock(String(checkpoint)), timestamp: checkpointTime(String(checkpoint)) },
    },
  ]);
  return { status: Object.fromEntries(status) };
}
