import { bigint, index, integer, numeric, primaryKey, text } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/** Each token's trading in the last 24 hours; tokens without trades have no row. Can be recomputed at any time. */
export const tokenActivity = offchain.table(
  "token_activity",
  {
    /** The Postgres schema of the on-chain tables: each has its own rows. */
    schema: text("schema").notNull(),
    chainId: integer("chain_id").notNull(),
    token: text("token").notNull(),
    /** In wei, buys and sells together. */
    volume24hWei: numeric("volume_24h_wei", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
    trades24h: integer("trades_24h").notNull(),
    /** The number of different accounts that traded. */
    traders24h: integer("traders_24h").notNull(),
    /** The time of the last counted trade, in seconds since 1970. */
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

/** The block up to which a chain's activity was last measured. */
export const tokenActivityState = offchain.table(
  "token_activity_state",
  {
    schema: text("schema").notNull(),
    chainId: integer("chain_id").notNull(),
    /** Seconds since 1970. */
    measuredAt: bigint("measured_at", { mode: "bigint" }).notNull(),
    measuredBlock: bigint("measured_block", { mode: "bigint" }).notNull(),
    /** The time up to which no reorg could change anything when it was measured, in seconds since 1970. */
    settledAt: bigint("settled_at", { mode: "bigint" }).notNull(),
    /** Changes with each start of the indexer, since another build may have indexed other contracts. */
    build: text("build").notNull(),
  },
  (table) => [primaryKey({ columns: [table.schema, table.chainId] })],
);
