import { token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../../database/database.ts";

/** Whether the index has the token. */
export async function isKnownToken(db: Database, chainId: number, mint: string): Promise<boolean> {
  const found = await queryRows(
    db,
    sql`select 1 from ${token} where chain_id = ${chainId} and address = ${mint}`,
  );
  return found.length > 0;
}
