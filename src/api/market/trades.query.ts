import { token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import type { KeysetPosition } from "../http/cursor.ts";

/** A trade. Numeric columns are decimal strings. */
export type TradeRow = {
  chain_id: number;
  id: string;
  token: string;
  trader: string;
  venue: "curve" | "dex";
  side: "buy" | "sell";
  bnb_amount: string;
  token_amount: string;
  price_x36: string;
  block: string;
  timestamp: string;
  tx: string;
  log_index: number;
  bnb_reserves: string;
  token_reserves: string;
  /** USD for one BNB with 8 decimals; null where no price feed had answered. */
  bnb_usd_x8: string | null;
};

/** With the token's name; empty where the factory never announced it. */
export type NamedTradeRow = TradeRow & { name: string; symbol: string };

/** The columns of a {@link TradeRow}. */
const tradeColumns = sql`chain_id, id, token, trader, venue, side, bnb_amount, token_amount, price_x36, block, timestamp, tx, log_index,
   bnb_reserves, token_reserves, bnb_usd_x8`;

/** Whose trades: a token's, a trader's, or all of the chain. */
export type TradeFilter = { chainId: number; mint?: string; trader?: string };

/** Trades after the place, the newest first. Places are time and id. */
export async function readTrades(
  db: Database,
  filter: TradeFilter,
  { after, limit }: { after: KeysetPosition | undefined; limit: number },
): Promise<TradeRow[]> {
  return await queryRows<TradeRow>(db, newest(filter, after, limit));
}

/** The same with names. */
export async function readNamedTrades(
  db: Database,
  filter: TradeFilter,
  { after, limit }: { after: KeysetPosition | undefined; limit: number },
): Promise<NamedTradeRow[]> {
  return await queryRows<NamedTradeRow>(
    db,
    sql`select found.*, coalesce(t.name, '') as name, coalesce(t.symbol, '') as symbol
        from (${newest(filter, after, limit)}) found
        left join ${token} t on t.chain_id = found.chain_id and t.address = found.token
        order by found.timestamp desc, found.id desc`,
  );
}

// The order of ids is that of the chain, and so is that of times: by both, each filter has an index in the order.
function newest(
  { chainId, mint, trader }: TradeFilter,
  after: KeysetPosition | undefined,
  limit: number,
): SQL {
  if (mint === undefined && trader === undefined) {
    const behind = after === undefined ? sql`` : sql`and id < ${after.second}`;
    return sql`select ${tradeColumns} from ${trade} where chain_id = ${chainId} ${behind}
               order by id desc limit ${limit}`;
  }
  const whose = mint === undefined ? sql`trader = ${trader}` : sql`token = ${mint}`;
  const behind =
    after === undefined ? sql`` : sql`and (timestamp, id) < (${after.first}::int8, ${after.second})`;
  return sql`select ${tradeColumns} from ${trade} where chain_id = ${chainId} and ${whose} ${behind}
             order by timestamp desc, id desc limit ${limit}`;
}
