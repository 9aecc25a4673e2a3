import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";

/**
 * Reads why an image is hidden, which it is if only hidden tokens' registrations mention it. Returns undefined for any
 * other image.
 */
export async function readHiddenImageReason(db: Database, cid: string): Promise<string | undefined> {
  const [row] = await queryRows<{ reason: string }>(
    db,
    sql`select h.reason from offchain.hidden_registration r
        join offchain.hidden_token h on h.chain_id = r.chain_id and h.mint = r.mint
        where offchain.image_cids(r.image_url) @> array[${cid}::text] and not exists (
          select from offchain.registration where offchain.image_cids(image_url) @> array[${cid}::text])
        order by h.hidden_at limit 1`,
  );
  return row?.reason;
}
