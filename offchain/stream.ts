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
 * What has happened on the chains, in the order in which the index saw it, for clients of the stream to go on from where they
 * were. Rows are added only; those older than the retention are taken away. Ids are in commit order.
 *
 * An event that a reorg took back is added once more, with `removed`.
 */
export const streamEvent = offchain.table(
  "stream_event",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** The Postgres schema of the on-chain tables: each has a journal of its own. */
    schema: text().notNull(),
    chainId: integer().notNull(),
    /** Where in the chain the event is: block and log index as in the tables' ids, which sort as text. */
    position: text().notNull(),
    /** `created`, `trade`, `graduated`; `begin` is where a journal begins. */
    kind: text().notNull(),
    mint: text().notNull(),
    creator: text(),
    /** Tells whether the row of the on-chain table is still the one that the event was made of. */
    fingerprint: text().notNull(),
    /** The JSON that clients get. */
    data: text().notNull(),
    removed: boolean().notNull().default(false),
    /** Whether the event is neither taken back nor about one that is. */
    current: boolean().notNull().default(true),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("stream_event_current_index")
      .on(table.schema, table.chainId, table.position)
      .where(sql`current`),
    // Not the id alone: of a schema that is filled no more, the last event may be far from the last of all.
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
    /** Tells one start of the indexer from another, and one reorg from another. */
    build: text().notNull(),
    trigger: text().notNull(),
    /** The last indexed block at that time. */
    latestBlock: bigint({ mode: "number" }).notNull(),
    /** Up to this position journal and tables were equal then. */
    compared: text().notNull(),
    /** Up to this position and time (in seconds) no reorg can change anything. */
    settled: text().notNull(),
    settledAt: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.schema, table.chainId] })],
);
