import { curve, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../../database/database.ts";

/** A trade in a final block. Amounts are decimal strings in wei and base units. */
export type FinalTradeRow = {
  id: string;
  token: string;
  /** Where it was traded: the token itself for its curve, or its DEX pair. Null for a token that the factory did not make. */
  pair: string | null;
  trader: string;
  venue: "curve" | "dex";
  side: "buy" | "sell";
  bnb_amount: string;
  token_amount: string;
  bnb_reserves: string;
  token_reserves: string;
  block: string;
  timestamp: string;
  tx: string;
  tx_index: number;
  log_index: number;
};

/** Trades of launched tokens with ids from `from` to below `before`, in the order of the chain. */
export async function readTradesBetween(
  db: Database,
  { chainId, from, before, limit }: { chainId: number; from: string; before: string; limit: number },
): Promise<FinalTradeRow[]> {
  return await queryRows<FinalTradeRow>(
    db,
    sql`select tr.id, tr.token, case when t.address is null then null when tr.venue = 'curve' then tr.token else c.pair end
            as pair, tr.trader, tr.venue, tr.side, tr.bnb_amount, tr.token_amount,
          tr.bnb_reserves, tr.token_reserves, tr.block, tr.timestamp, tr.tx, tr.tx_index, tr.log_index
        from (select * from ${trade} where chain_id = ${chainId} and id >= ${from} and id < ${before}
          order by id limit ${limit}) tr
        left join ${token} t on t.chain_id = tr.chain_id and t.address = tr.token
        left join ${curve} c on c.chain_id = tr.chain_id and c.token = tr.token
        order by tr.id`,
  );
}
