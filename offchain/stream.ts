import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/**
 * Events of the chains in the order in which they were indexed, from which clients of the stream resume. Append-only, except
 * that rows older than the retention are deleted. Ids are in commit order.
 *
 * An event that a reorg removed is appended once more, with `removed`.
 */
export const streamEvent = offchain.table(
  "stream_event",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** The Postgres schema of the on-chain tables: each has a journal of its own. */
    schema: text().notNull(),
    chainId: integer().notNull(),
    /** The event's block and log index, in the form of the tables' ids, which sort as text. */
    position: text().notNull(),
    /** `created`, `trade`, `graduated`; `begin` is where a journal begins. */
    kind: text().notNull(),
    mint: text().notNull(),
    creator: text(),
    /** Changes if the on-chain row is no longer the one that the event was made from. */
    fingerprint: text().notNull(),
    /** The JSON that clients get. */
    data: text().notNull(),
    removed: boolean().notNull().default(false),
    /** False for a removed event and for its removal. */
    current: boolean().notNull().default(true),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("stream_event_current_index")
      .on(table.schema, table.chainId, table.position)
      .where(sql`current`),
    // Not the id alone: the last event of a schema that is no longer indexed may be far from the end.
    primaryKey({ columns: [table.schema, table.id] }),
    index("stream_event_at_index").on(table.at),
  ],
);

/** How far the journal of a chain is. */
export const streamState = offchain.table(
  "stream_state",
  {
    schema: text().notNull(),
    chainId: integer().notNull(),
    /** The id of the event where the journal begins: what is before it is not streamed. */
    begun: bigint({ mode: "number" }).notNull(),
    /** What Ponder's records of the chain were when journal and tables were compared last; null while that is unfinished. */
    stamp: text(),
    /** Differs for each start of the indexer and each reorg. */
    build: text().notNull(),
    trigger: text().notNull(),
    /** The last indexed block at that time. */
    latestBlock: bigint({ mode: "number" }).notNull(),
    /** Journal and tables were equal up to this position at that time. */
    compared: text().notNull(),
    /** Up to this position and time (in seconds) no reorg can change anything. */
    settled: text().notNull(),
    settledAt: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.schema, table.chainId] })],
);

/** On-chain schemas whose journal is not written: another one has taken it over, or they are to take over another one's. */
export const streamPause = offchain.table("stream_pause", {
  schema: text().primaryKey(),
});
