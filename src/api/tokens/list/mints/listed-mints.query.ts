import { curve, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../../../database/database.ts";
import { isRegisteredToken } from "../../../market/registered-token.query.ts";
import { type Filter, isMatch } from "../matching-registrations.query.ts";

export type ListedMint = { id: number; mint: string; graduated: boolean; progress: number };

/** Reads those of the mints that are listed and match all filters, with their registration ids, in no particular order. */
export async function readListedMints(
  db: Database,
  chainId: number,
  mints: string[],
  filters: Filter[],
): Promise<ListedMint[]> {
  const conditions = [
    sql`chain_id = ${chainId} and mint = any(${sql.param(mints)}::text[])`,
    ...filters.map((filter) => sql`(${isMatch(filter)})`),
  ];
  return await queryRows<ListedMint>(
    db,
    sql`select r.id, r.mint, c.graduated, c.progress
        from (select * from offchain.registration where ${sql.join(conditions, sql` and `)}) r
        join ${token} t on ${isRegisteredToken}
        join ${curve} c on c.chain_id = t.chain_id and c.token = t.address`,
  );
}
