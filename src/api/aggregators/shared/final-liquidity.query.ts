import { curve, liquidityChange, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";

const columns = columnsOf(liquidityChange, "l", [
  "id",
  "pair",
  "provider",
  "kind",
  "bnb_amount_wei",
  "token_amount_raw",
  "bnb_reserves_wei",
  "token_reserves_raw",
  "block",
  "timestamp",
  "tx",
  "tx_index",
  "log_index",
]);

/** A change of a pair's liquidity in a final block. */
export type FinalLiquidityRow = RowOf<typeof columns> & {
  /** Whether the factory created the token, it is not hidden, and it graduated to this pair. */
  is_launched: boolean;
};

/** Returns changes with ids from `from` (inclusive) to `before` (exclusive), in chain order. */
export async function readLiquidityBetween(
  db: Database,
  { chainId, from, before, limit }: { chainId: number; from: string; before: string; limit: number },
): Promise<FinalLiquidityRow[]> {
  return await queryRows<FinalLiquidityRow>(
    db,
    sql`select ${columnList(columns)}, t.address is not null and c.token is not null
          and h.mint is null as is_launched
        from (select * from ${liquidityChange} where chain_id = ${chainId} and id >= ${from} and id < ${before}
          order by id limit ${limit}) l
        left join ${token} t on t.chain_id = l.chain_id and t.address = l.token
        left join ${curve} c on c.chain_id = l.chain_id and c.token = l.token and c.pair = l.pair
        left join offchain.hidden_token h on h.chain_id = l.chain_id and h.mint = l.token
        order by l.id`,
  );
}
