import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/**
 * A subscription to alerts: what a wallet wants to be told, and where. It has its own place in the journal of the stream, or among the
 * firings of its condition, which is never lost.
 */
export const alertSubscription = offchain.table(
  "alert_subscription",
  {
    id: text().primaryKey(),
    /** The wallet that it belongs to. Lower-case hex. */
    owner: text().notNull(),
    chainId: integer().notNull(),
    /** The rule as it was signed, with every default filled in. */
    rule: jsonb().notNull(),
    /** The receiver's URL and the secrets with which messages are signed, encrypted with the operator's key. */
    sealed: text().notNull(),
    /** A keyed hash of the receiver's host, for the limit per host. */
    host: text().notNull(),
    /** A keyed hash of the address from which it was made, for the limit per address. */
    client: text().notNull(),
    /** The most events in one message. */
    batch: integer().notNull(),
    /** `unverified` until the receiver has echoed a challenge, then `active` or `paused`. */
    status: text().notNull(),
    /** Why it is paused: `owner`, `failing` (72 hours without a success) or `gone` (the receiver answered 410). */
    reason: text(),
    /** The digest of the signed message that made it; null if it was made with a token. */
    digest: text().unique(),
    /** The cursor of the last event that the receiver has; for a condition, the id of its last firing. */
    position: text().notNull(),
    /** Whether it may lack events from before the deliverer's own position, and has to read the journal from `position`. */
    isBehind: boolean().notNull().default(false),
    /** The state of its condition; null before the first evaluation, and for filters. */
    condition: jsonb(),
    /** Failed attempts since the last success, since when, and the time of the next one. */
    failures: integer().notNull().default(0),
    failingSince: timestamp({ withTimezone: true }),
    retryAt: timestamp({ withTimezone: true }),
    /** The latest attempts, the newest first. */
    recent: jsonb().notNull().default(sql`'[]'`),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** When its owner last changed it, and the value of `alert_work.revision` then. */
    changedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    revision: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    index("alert_subscription_owner_index").on(table.owner, table.createdAt),
    index("alert_subscription_client_index").on(table.client),
    index("alert_subscription_host_index").on(table.host),
    index("alert_subscription_revision_index").on(table.revision),
  ],
);

/** A message of a condition: that it was met (`met`), that a reorg took that back (`retracted`), or that some may be missing (`gap`). */
export const alertFiring = offchain.table(
  "alert_firing",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    subscription: text()
      .notNull()
      .references(() => alertSubscription.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    /** What the receiver is told. */
    data: jsonb().notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.subscription, table.id] }),
    index("alert_firing_at_index").on(table.at),
  ],
);

/** A token with which a wallet manages its subscriptions. */
export const alertToken = offchain.table(
  "alert_token",
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    owner: text().notNull(),
    /** The digest of the signed message that yielded it, which yields no other. */
    digest: text().notNull().unique(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    /** The chain for which it was signed: on another one, a contract wallet of this address may be somebody else's. */
    chainId: integer().notNull(),
  },
  (table) => [
    index("alert_token_expiry_index").on(table.expiresAt),
    index("alert_token_owner_index").on(table.owner, table.expiresAt),
  ],
);

/** A single row: who delivers, and how far. */
export const alertWork = offchain.table("alert_work", {
  id: integer().primaryKey().default(1),
  /** Incremented in the transaction of every change that an owner makes, so that revisions are in commit order. */
  revision: bigint({ mode: "number" }).notNull().default(0),
  /** Incremented whenever another process takes over: what the previous one still writes is refused. */
  lease: bigint({ mode: "number" }).notNull().default(0),
  leaseUntil: timestamp({ withTimezone: true }).notNull().default(sql`'-infinity'`),
  /** The stream's cursor up to which every subscription that is not behind has its events; null before the first delivery. */
  delivered: text(),
  /** The last event of the journal for which conditions were evaluated; null before the first. */
  evaluated: bigint({ mode: "number" }),
});
