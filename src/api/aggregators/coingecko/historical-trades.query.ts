import { token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";
import { isHidden } from "../../market/hidden-token.query.ts";

const columns = columnsOf(trade, "tr", [
  "id",
  "side",
  "bnb_amount_wei",
  "token_amount_raw",
  "block",
  "log_index",
  "timestamp",
]);

export type HistoricalTradeRow = RowOf<typeof columns>;

export type HistoricalTradesQuery = {
  chainId: number;
  mint: string;
  side?: "buy" | "sell";
  /** Seconds, both inclusive. */
  from: number;
  to: number;
  /** The ids of all trades are below this one. */
  before: string;
  limit: number;
};

/** Returns a token's trades that have a price, the latest first. */
export async function readHistoricalTrades(
  db: Database,
  { chainId, mint, side, from, to, before, limit }: HistoricalTradesQuery,
): Promise<HistoricalTradeRow[]> {
  return await queryRows<HistoricalTradeRow>(
    db,
    // Compared as pairs, so that the planner can't use the index on time alone and read every other token's trades too.
    sql`select ${columnList(columns)} from ${trade} tr
        where chain_id = ${chainId} and (token, timestamp) >= (${mint}, ${from}::int8)
          and (token, timestamp) <= (${mint}, ${to}::int8)
          and id < ${before} and bnb_amount_wei > 0 and token_amount_raw > 0
          ${side === undefined ? sql`` : sql`and side = ${side}`}
        order by token desc, timestamp desc, id desc limit ${limit}`,
  );
}

/** Whether the token was launched at or before the block, and is not hidden. */
export async function isLaunchedBy(
  db: Database,
  chainId: number,
  mint: string,
  block: number,
): Promise<boolean> {
  const found = await queryRows(
    db,
    sql`select 1 from ${token} t
        where t.chain_id = ${chainId} and t.address = ${mint} and t.created_block <= ${block}
        and not ${isHidden(sql`t.chain_id`, sql`t.address`)}`,
  );
  return found.length > 0;
}
