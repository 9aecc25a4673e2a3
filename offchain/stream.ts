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
 * The chains' events in the order in which they were indexed, from which clients of the stream resume. Append-only, except
 * that rows older than the retention are deleted. Ids are in commit order.
 *
 * An event that a reorg removed is appended again, with `removed`.
 */
export const streamEvent = offchain.table(
  "stream_event",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** The Postgres schema of the on-chain tables: each has its own journal. */
    schema: text().notNull(),
    chainId: integer().notNull(),
    /** The event's block and log index, in the form of the tables' ids, which sort as text. */
    position: text().notNull(),
    /** `created`, `trade`, `graduated`, `transfer`, `liquidity_added`, `liquidity_removed`; `begin` marks the start of a journal. */
    kind: text().notNull(),
    mint: text().notNull(),
    creator: text(),
    /** Differs if the on-chain row is no longer the one from which the event was created. */
    fingerprint: text().notNull(),
    /** The JSON that clients receive. */
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

/** The progress of a chain's journal. */
export const streamState = offchain.table(
  "stream_state",
  {
    schema: text().notNull(),
    chainId: integer().notNull(),
    /** The id of the journal's first event: earlier ones are not streamed. */
    begun: bigint({ mode: "number" }).notNull(),
    /** Ponder's records of the chain when journal and tables were last compared; null while that is unfinished. */
    stamp: text(),
    /** Identifies the indexer's last start at the last comparison, and the last time that a start or a reorg reverted rows. */
    build: text().notNull(),
    trigger: text().notNull(),
    /** The last indexed block at the last comparison. */
    latestBlock: bigint({ mode: "number" }).notNull(),
    /** The position up to which journal and tables were equal at the last comparison. */
    compared: text().notNull(),
    /** The position and time (in seconds) up to which no reorg can change anything. */
    settled: text().notNull(),
    settledAt: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.schema, table.chainId] })],
);

/**
 * On-chain schemas whose journal is paused: another schema has adopted it, or they are about to adopt another one's.
 */
export const streamPause = offchain.table("stream_pause", {
  schema: text().primaryKey(),
});
