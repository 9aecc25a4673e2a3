import { onchainTable, primaryKey } from "ponder";

/** How many events of each kind there were: the least that an indexer can do with them. */
export const eventCount = onchainTable(
  "event_count",
  (t) => ({
    chainId: t.integer().notNull(),
    event: t.text().notNull(),
    count: t.integer().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.event] }) }),
);
