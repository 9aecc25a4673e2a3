import { desc, eq } from "drizzle-orm";
import { registrationHistory } from "../../../offchain/schema.ts";
import { type Database, selectRows } from "../database/database.ts";

export type EarlierRow = typeof registrationHistory.$inferSelect;

/** Reads what a registration said before, newest first. */
export async function readEarlierRegistrations(db: Database, registrationId: number): Promise<EarlierRow[]> {
  return await selectRows(db, () =>
    db
      .select()
      .from(registrationHistory)
      .where(eq(registrationHistory.registrationId, registrationId))
      .orderBy(desc(registrationHistory.replacedAt)),
  );
}
