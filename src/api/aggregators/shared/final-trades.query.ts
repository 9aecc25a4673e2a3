import { curve, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";

const columns = columnsOf(trade, "tr", [
  "id",
  "token",
  "trader",
  "venue",
  "side",
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

/** A trade in a final block. */
export type FinalTradeRow = RowOf<typeof columns> & {
  /** Where it was traded: the token itself for its curve, or its DEX pair. Null for a token that the factory did not create, or that is hidden. */
  pair: string | null;
};

/** Returns trades with ids from `from` (inclusive) to `before` (exclusive), in chain order. */
export async function readTradesBetween(
  db: Database,
  { chainId, from, before, limit }: { chainId: number; from: string; before: string; limit: number },
): Promise<FinalTradeRow[]> {
  return await queryRows<FinalTradeRow>(
    db,
    sql`select ${columnList(columns)},
          case when t.address is null or h.mint is not null then null
            when tr.venue = 'curve' then tr.token else c.pair end as pair
        from (select * from ${trade} where chain_id = ${chainId} and id >= ${from} and id < ${before}
          order by id limit ${limit}) tr
        left join ${token} t on t.chain_id = tr.chain_id and t.address = tr.token
        left join ${curve} c on c.chain_id = tr.chain_id and c.token = tr.token
        left join offchain.hidden_token h on h.chain_id = tr.chain_id and h.mint = tr.token
        order by tr.id`,
  );
}
