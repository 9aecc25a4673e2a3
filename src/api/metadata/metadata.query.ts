import { token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { isRegisteredToken } from "../market/registered-token.query.ts";

/** What is known of a token, registered or not. */
export type MetadataRow = {
  chain_id: number;
  address: string;
  name: string;
  symbol: string;
  creator: string;
  description: string | null;
  image_url: string | null;
  twitter_url: string | null;
  telegram_url: string | null;
  website_url: string | null;
  verified: boolean | null;
};

export async function readMetadata(
  db: Database,
  chainId: number,
  mint: string,
): Promise<MetadataRow | undefined> {
  const [row] = await queryRows<MetadataRow>(
    db,
    sql`select t.chain_id, t.address, t.name, t.symbol, t.creator, r.description, r.image_url, r.twitter_url,
          r.telegram_url, r.website_url, r.verified
        from ${token} t left join offchain.registration r on ${isRegisteredToken}
        where t.chain_id = ${chainId} and t.address = ${mint}`,
  );
  return row;
}
