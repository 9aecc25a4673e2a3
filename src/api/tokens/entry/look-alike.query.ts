import { curve, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type PooledDatabase, prepareRows } from "../../database/database.ts";
import { isRowHidden } from "../../market/hidden-token.query.ts";

/** An older or larger token whose symbol or name has the same hash. */
export type LookAlikeRow = {
  mint: string;
  name: string;
  symbol: string;
  /** Seconds since 1970. */
  created_at: string;
  graduated: boolean;
  liquidity_wei: string;
  is_larger: boolean;
};

/** The 300 oldest tokens whose symbols (or names) have the same hash: more are not compared. */
const oldest = (condition: SQL) => sql`
  (select chain_id, address, name, symbol, created_at, created_block, created_log_index from ${token}
   where chain_id = me.chain_id and ${condition}
   order by created_block, created_log_index limit 300)`;

const readRows = prepareRows<LookAlikeRow>(
  "look_alikes",
  // `materialized`, and hidden tokens last, so that neither is looked up for each candidate.
  () => sql`
    with me as materialized (
      select t.chain_id, t.address, t.symbol_look_hash, t.name_look_hash, t.created_block, t.created_log_index, c.graduated, c.liquidity_wei
      from ${token} t join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
      where t.chain_id = ${sql.placeholder("chainId")}::int and t.address = ${sql.placeholder("mint")}
    ), found as materialized (
      select t.*, c.graduated, c.liquidity_wei, is_larger
      from me
      cross join lateral (
        ${oldest(sql`symbol_look_hash = me.symbol_look_hash`)} union ${oldest(sql`name_look_hash = me.name_look_hash`)}) t
      join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
      cross join lateral (select
        (t.created_block, t.created_log_index) < (me.created_block, me.created_log_index) as is_older,
        c.graduated and c.liquidity_wei > 0 and c.liquidity_wei >= 2 * me.liquidity_wei as is_larger,
        me.graduated and me.liquidity_wei > 0 and me.liquidity_wei >= 2 * c.liquidity_wei as is_smaller) compared
      where t.address <> me.address and (is_larger or (is_older and not is_smaller))
      order by c.liquidity_wei desc, t.created_block, t.created_log_index limit 20
    )
    select address as mint, name, symbol, created_at, graduated, liquidity_wei, is_larger
    from found where not ${isRowHidden(sql`found.chain_id`, sql`found.address`)}
    order by found.liquidity_wei desc, created_block, created_log_index`,
);

/**
 * Reads the tokens that are older than this one and not much smaller, or much larger, and whose symbol or name has the same hash:
 * the 20 largest, in this order.
 */
export async function readLookAlikes(
  db: PooledDatabase,
  chainId: number,
  mint: string,
): Promise<LookAlikeRow[]> {
  return await readRows(db, [chainId, mint]);
}
