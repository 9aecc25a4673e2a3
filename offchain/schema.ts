import { boolean, index, integer, pgSchema, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * What creators register off-chain. Never rebuilt and migrated forward only: unlike the on-chain tables
 * these rows can't be had again from anywhere.
 *
 * @public drizzle-kit looks for the schema among the exports.
 */
export const offchain = pgSchema("offchain");

/** A token that its creator (or anyone, unsigned) has registered. Addresses are lower-case hex. */
export const registration = offchain.table(
  "registration",
  {
    chainId: integer().notNull(),
    mint: text().notNull(),
    name: text().notNull(),
    symbol: text().notNull(),
    creator: text().notNull(),
    /** Percent of the supply burned at launch, 30 to 70. */
    burnPercent: integer().notNull(),
    description: text(),
    imageUrl: text(),
    twitterUrl: text(),
    telegramUrl: text(),
    websiteUrl: text(),
    launchpadAddress: text(),
    /** Whether the token's creator signed this registration. */
    verified: boolean().notNull().default(false),
    registeredAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Who registered: the signer's address, or null when nobody signed. */
    registeredBy: text(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.mint] }),
    index("registration_registered_at_index").on(table.chainId, table.registeredAt),
  ],
);
