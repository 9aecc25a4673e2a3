import { token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../../database/database.ts";

/** What a registration of the token has to agree with. */
export type IndexedTokenRow = {
  name: string;
  symbol: string;
  creator: string;
  burn_percent: number;
  launchpad: string;
};

/** The token, or undefined where the index has not seen it (yet). */
export async function readIndexedToken(
  db: Database,
  chainId: number,
  mint: string,
): Promise<IndexedTokenRow | undefined> {
  const [row] = await queryRows<IndexedTokenRow>(
    db,
    sql`select name, symbol, creator, burn_percent, launchpad from ${token}
        where chain_id = ${chainId} and address = ${mint}`,
  );
  return row;
}
