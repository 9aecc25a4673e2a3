import { bigint, text, timestamp } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/** Which on-chain schema has been live, and since when. The row with the highest id is the current one. */
export const liveSchema = offchain.table("live_schema", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  schema: text().notNull(),
  since: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
