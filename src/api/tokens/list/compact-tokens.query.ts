import { curve, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import { type PooledDatabase, prepareRows } from "../../database/database.ts";
import { isRegisteredToken } from "../../market/hidden-token.query.ts";
import { hasTradeInWindows, lastTradeUpTo, longestStart } from "../../market/windows.query.ts";
import { checkpoints } from "../../ponder/index-state.query.ts";

const columns = {
  id: sql<number>`r.id`,
  mint: sql<string>`t.address`,
  ...columnsOf(token, "t", ["name", "symbol", "created_at", "total_supply_raw", "holder_count"]),
  ...columnsOf(curve, "c", ["progress", "price_bnb_x36"]),
  volume_24h_wei: sql<string>`case when ${hasTradeInWindows} then c.volume_to_date_wei
    - coalesce((${lastTradeUpTo(longestStart, sql`x.volume_to_date_wei`)}), 0) else 0 end`,
};

export type CompactTokenRow = RowOf<typeof columns>;

const compactTokens = prepareRows<CompactTokenRow>(
  "compact_tokens",
  () => sql`select ${columnList(columns)} from offchain.registration r join ${token} t on ${isRegisteredToken}
      join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
      join ${checkpoints} at on at.chain_id = t.chain_id
      where r.id = any(${sql.placeholder("ids")}::int[])`,
);

/** Reads the compact rows of registrations, in no particular order. Leaves out those that are not listed. */
export async function readCompactTokens(db: PooledDatabase, ids: number[]): Promise<CompactTokenRow[]> {
  return ids.length === 0 ? [] : await compactTokens(db, [`{${ids.join(",")}}`]);
}
