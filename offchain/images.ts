import { sql } from "drizzle-orm";
import { boolean, index, integer, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/**
 * An uploaded image: checked, cleaned and addressed by its content. Its bytes are in the block store of DATA_DIR and, if one
 * is configured, at a provider; with S3, the block store may lack them.
 *
 * @public drizzle-kit looks for tables among the exports.
 */
export const image = offchain.table(
  "image",
  {
    /** CIDv1 in base32: bafkrei... (one block) or bafybei... */
    cid: text().primaryKey(),
    /** The verified type, with which the gateway serves it. */
    mimeType: text().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    /** Pixels of one frame. */
    width: integer().notNull(),
    height: integer().notNull(),
    /** When the bytes were last uploaded: the time from which a registration has 24 hours to mention them. */
    uploadedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /**
     * Set once the image is removed here while a provider may still have it: the next sweep asks the provider again.
     */
    droppedAt: timestamp({ withTimezone: true }),
    /**
     * Whether a registration mentions it, kept by a trigger on `registration`. If not, it counts towards the budget.
     */
    mentioned: boolean().notNull().default(false),
    /**
     * The uploader whose share it counts towards: a hash of the client's address. Null once a registration mentions it.
     */
    uploader: text(),
  },
  (table) => [
    index("image_uploaded_at_index").on(table.uploadedAt),
    index("image_unmentioned_index")
      .on(table.uploadedAt, table.cid)
      .where(sql`not ${table.mentioned} and ${table.droppedAt} is null`),
    index("image_dropped_index").on(table.cid).where(sql`${table.droppedAt} is not null`),
  ],
);

/**
 * A provider that has an image, or may have it: the row is written before the provider is asked.
 *
 * @public drizzle-kit looks for tables among the exports.
 */
export const imagePin = offchain.table(
  "image_pin",
  {
    cid: text()
      .notNull()
      .references(() => image.cid, { onDelete: "cascade" }),
    /** `kubo`, `pinata` or `s3`. */
    provider: text().notNull(),
    /** The provider's own name for it, if that is needed to remove it. */
    reference: text(),
    /** Null until the provider has confirmed. */
    pinnedAt: timestamp({ withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.cid, table.provider] })],
);
