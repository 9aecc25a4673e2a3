import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

/**
 * The schema of off-chain registrations. It is never rebuilt and only migrated forward: unlike on-chain rows, these can't be
 * restored from anywhere.
 *
 * @public drizzle-kit looks for the schema among the exports.
 */
export const offchain = pgSchema("offchain");

/** The columns of a registration, except its id. */
const registrationColumns = () => ({
  chainId: integer().notNull(),
  mint: text().notNull(),
  name: text().notNull(),
  symbol: text().notNull(),
  creator: text().notNull(),
  /** Percent of the supply burned at launch, 30 to 70. */
  burnPercent: integer().notNull(),
  /** As registered; null if there is none. Untrusted text. */
  description: text(),
  /** The image's URL, often ipfs://; null if there is none. Untrusted. */
  imageUrl: text(),
  /** Null without one. Untrusted. */
  twitterUrl: text(),
  /** Null without one. Untrusted. */
  telegramUrl: text(),
  /** Null without one. Untrusted. */
  websiteUrl: text(),
  launchpadAddress: text(),
  /** Whether the token's creator signed this registration. */
  verified: boolean().notNull().default(false),
  /** When the token was first registered. */
  registeredAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Who registered it: the signer's address, or null if unsigned. */
  registeredBy: text(),
  /** The accepted signature, 0x hex, and the `issuedAt` that it signs, in seconds since 1970. */
  signature: text(),
  issuedAt: bigint({ mode: "number" }),
  /** The registry's version when the row was last written. */
  version: bigint({ mode: "number" }).notNull().default(0),
  /** The text that searches match, built by `searchText`. */
  search: text().notNull().default(""),
});

/**
 * A token that its creator (or anyone, unsigned) has registered. Addresses are lower-case hex.
 *
 * A row is about one token: this mint with this name, symbol, creator and burn percentage. After a reorg another token may
 * have the same address; it gets its own row, and each is shown while its token is on the chain.
 */
export const registration = offchain.table(
  "registration",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ...registrationColumns(),
  },
  (table) => [
    uniqueIndex("registration_token_index").on(
      table.chainId,
      table.mint,
      table.creator,
      table.name,
      table.symbol,
      table.burnPercent,
    ),
    index("registration_creator_index").on(table.chainId, table.creator),
    index("registration_version_index").on(table.version),
    index("registration_verified_index").on(table.id).where(sql`${table.verified}`),
    index("registration_search_index")
      .using("gin", sql`offchain.trigrams(${table.search})`)
      .with({ fastupdate: false }),
    index("registration_short_search_index")
      .using("gin", sql`offchain.signs(${table.search})`)
      .with({ fastupdate: false }),
    index("registration_image_index")
      .using("gin", sql`offchain.image_cids(${table.imageUrl})`)
      .with({ fastupdate: false }),
  ],
);

/** What a registration said until its creator replaced it. The first and the last 99 of each are kept, also while its token is hidden. */
export const registrationHistory = offchain.table(
  "registration_history",
  {
    registrationId: integer().notNull(),
    replacedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    description: text(),
    imageUrl: text(),
    twitterUrl: text(),
    telegramUrl: text(),
    websiteUrl: text(),
    verified: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.registrationId, table.replacedAt] })],
);

/** A token that the operator has hidden. */
export const hiddenToken = offchain.table(
  "hidden_token",
  {
    chainId: integer().notNull(),
    mint: text().notNull(),
    /** Public. */
    reason: text().notNull(),
    hiddenAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.mint] })],
);

/**
 * The registrations of hidden tokens, with their ids, to be restored if the tokens are shown again. They are moved here rather
 * than marked, so that nothing that reads registrations can show one by mistake. `version` is that of the move.
 */
export const hiddenRegistration = offchain.table(
  "hidden_registration",
  {
    id: integer().primaryKey(),
    ...registrationColumns(),
  },
  (table) => [
    index("hidden_registration_mint_index").on(table.chainId, table.mint),
    index("hidden_registration_version_index").on(table.version),
    index("hidden_registration_image_index")
      .using("gin", sql`offchain.image_cids(${table.imageUrl})`)
      .with({ fastupdate: false }),
  ],
);

/**
 * A single row. Every write to `registration`, and every hiding and unhiding of a token, increments the version in its own
 * transaction, so that versions are in commit order.
 */
export const registry = offchain.table("registry", {
  id: integer().primaryKey().default(1),
  version: bigint({ mode: "number" }).notNull().default(0),
  /** The version with which a registered token was last hidden or shown again. */
  moderatedVersion: bigint({ mode: "number" }).notNull().default(0),
});

/**
 * Each client's requests in the current minute, if replicas count together. May be lost at any time.
 *
 * @public drizzle-kit looks for tables among the exports.
 */
export const rateLimit = offchain.table("rate_limit", {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint({ mode: "number" }),
});

/**
 * The contracts behind a price feed when an on-chain schema was started: indexing can only continue with the same ones.
 * Addresses are lower-case hex.
 */
export const priceFeed = offchain.table(
  "price_feed",
  {
    onchainSchema: text().notNull(),
    chainId: integer().notNull(),
    /** The addresses that the user configured. */
    configured: text().array().notNull(),
    /** The contracts that emit the answers. */
    aggregators: text().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.onchainSchema, table.chainId, table.configured] })],
);
