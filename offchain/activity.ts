import { bigint, index, integer, numeric, primaryKey, text } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/** What was traded of a token in the last 24 hours; tokens without trades in them have no row. Can be measured anew at any time. */
export const tokenActivity = offchain.table(
  "token_activity",
  {
    /** The Postgres schema of the on-chain tables: each has rows of its own. */
    schema: text("schema").notNull(),
    chainId: integer("chain_id").notNull(),
    token: text("token").notNull(),
    /** Wei, buys and sells. */
    volume24hWei: numeric("volume_24h_wei", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
    trades24h: integer("trades_24h").notNull(),
    /** Accounts. */
    traders24h: integer("traders_24h").notNull(),
    /** Of the last trade that is counted. Seconds since 1970. */
    lastTradeAt: bigint("last_trade_at", { mode: "bigint" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.schema, table.chainId, table.token] }),
    index("token_activity_volume_index").on(table.schema, table.chainId, table.volume24hWei, table.token),
    index("token_activity_trades_index").on(table.schema, table.chainId, table.trades24h, table.token),
    index("token_activity_last_trade_index").on(table.schema, table.chainId, table.lastTradeAt, table.token),
    index("token_activity_traders_index").on(table.schema, table.chainId, table.traders24h, table.token),
  ],
);

/** The block up to which the activity of a chain was measured last. */
export const tokenActivityState = offchain.table(
  "token_activity_state",
  {
    schema: text("schema").notNull(),
    chainId: integer("chain_id").notNull(),
    /** Seconds since 1970. */
    measuredAt: bigint("measured_at", { mode: "bigint" }).notNull(),
    measuredBlock: bigint("measured_block", { mode: "bigint" }).notNull(),
    /** Time in seconds up to which no reorg could change anything when it was measured. */
    settledAt: bigint("settled_at", { mode: "bigint" }).notNull(),
    /** Differs for each start of the indexer: another one may have indexed other contracts. */
    build: text("build").notNull(),
  },
  (table) => [primaryKey({ columns: [table.schema, table.chainId] })],
);
