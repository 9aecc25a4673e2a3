import { onchainTable, primaryKey } from "ponder";

/** The number of events of each kind: the least that an indexer can store. */
export const eventCount = onchainTable(
  "event_count",
  (t) => ({
    chainId: t.integer().notNull(),
    event: t.text().notNull(),
    count: t.integer().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.event] }) }),
);
