import { bigint, text, timestamp } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/** Which on-chain schema has been live, and since when: the row with the highest id is now. Append-only. */
export const liveSchema = offchain.table("live_schema", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  schema: text().notNull(),
  since: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
