import { customType, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

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
