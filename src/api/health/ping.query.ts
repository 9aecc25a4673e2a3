import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";

/** Resolves once the database has answered. */
export async function ping(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}
