import { bigint, customType, integer, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/** Which on-chain schema has been live, and since when. The row with the highest id is the current one. */
export const liveSchema = offchain.table("live_schema", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  schema: text().notNull(),
  since: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

/**
 * The login of the analysts' role, if a migration of this database created it: the service uses it for SQL over HTTP. If
 * there is no row, the role was created elsewhere, and its password is unknown here.
 *
 * @public drizzle-kit looks for tables among the exports.
 */
export const readerLogin = offchain.table("reader_login", {
  role: text().primaryKey(),
  password: text().notNull(),
});

/**
 * Blocks that were final when they were indexed. They are compared with the chain, to notice if it replaces them, and to find the
 * last block that it has kept. The older, the fewer are kept.
 */
export const finalBlock = offchain.table(
  "final_block",
  {
    chainId: integer().notNull(),
    number: bigint({ mode: "number" }).notNull(),
    hash: text().notNull(),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.number] })],
);

/** A request to index again into a new schema and, where stored history is wrong, to forget a chain's from a block on before. */
export const repairRequest = offchain.table("repair_request", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  chainId: integer().notNull(),
  fromBlock: bigint({ mode: "number" }).notNull(),
  /** The token whose rows are wrong; null if any may be. */
  token: text(),
  /**
   * `reorg`: the chain has replaced final blocks. `operator`: requested by hand. Without forgetting anything, `loss`: the index was
   * made without logs that are stored since. `difference`: contracts return other values.
   */
  cause: text().notNull(),
  /** In words, for the log and for clients. */
  reason: text().notNull(),
  requestedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** The schema that is, or was, indexed instead. Null until that begins. */
  repairedIn: text(),
  /** The schemas that were indexed before, and must not be indexed into or served any more. */
  stale: text().array().notNull().default([]),
});

const blockRanges = customType<{ data: string }>({ dataType: () => "int8multirange" });

/**
 * The blocks whose events are stored for Ponder, by source: the launchpad with all tokens it created, and each price feed.
 *
 * @public drizzle-kit looks for the tables among the exports.
 */
export const chainCoverage = offchain.table(
  "chain_coverage",
  {
    chainId: integer().notNull(),
    source: text().notNull(),
    /** The version of the stored columns: blocks that an earlier version stored don't count. */
    version: integer().notNull(),
    blocks: blockRanges().notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.source] })],
);
