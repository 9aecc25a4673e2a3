import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { ponderMeta } from "./index-state.query.ts";

/** The state of the process that indexes, from its own record. */
export type WriterState = {
  /** Whether the backfill is done. */
  isReady: boolean;
  /** Whether it has ended, or has stopped sending heartbeats. */
  isGone: boolean;
};

/** Heartbeats come every 10 seconds, and Ponder itself considers the process dead after 25. */
const silenceSeconds = 30;

export async function readWriterState(db: Database): Promise<WriterState> {
  const [row] = await queryRows<{ is_ready: boolean; is_gone: boolean }>(
    db,
    sql`select value ->> 'is_ready' = '1' as is_ready,
               value ->> 'is_locked' = '0'
                 or (value ->> 'heartbeat_at')::numeric / 1000 < extract(epoch from now()) - ${silenceSeconds}
                 as is_gone
        from ${ponderMeta} where key = 'app'`,
  );
  return { isReady: row?.is_ready ?? false, isGone: row?.is_gone ?? true };
}
