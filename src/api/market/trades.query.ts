import { position, token, trade } from "ponder:schema";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Address } from "viem";
import { columnList } from "../database/columns.ts";
import { type Database, selectRows } from "../database/database.ts";
import type { KeysetPage } from "../http/cursor.ts";
import { isRowHidden } from "./hidden-token.query.ts";

const fields = [
  "chainId",
  "id",
  "token",
  "trader",
  "venue",
  "side",
  "bnbAmountWei",
  "tokenAmountRaw",
  "priceBnbX36",
  "block",
  "timestamp",
  "tx",
  "logIndex",
  "bnbReservesWei",
  "tokenReservesRaw",
  "bnbUsdX8",
] as const;
type Field = (typeof fields)[number];

export type TradeRow = Pick<typeof trade.$inferSelect, Field>;

/** Picks the columns of a {@link TradeRow} from the table, or from a subquery in its place. */
export function tradeColumns<Table extends Record<Field, unknown>>(table: Table): Pick<Table, Field> {
  return Object.fromEntries(fields.map((field) => [field, table[field]])) as Pick<Table, Field>;
}

/**
 * Sums of trades by name, for a query that groups the table or a subquery of it. Those in USD are null if a trade had no rate.
 */
export const tradeSumColumns = {
  sells: sql<number>`(count(*) filter (where side = 'sell'))::int`,
  profitable_sells: sql<number>`(count(*) filter (where side = 'sell' and realised_wei > 0))::int`,
  volume_wei: sql<string>`sum(bnb_amount_wei)`,
  volume_usd_x18: sql<
    string | null
  >`case when count(*) = count(bnb_usd_x8) then sum(div(bnb_amount_wei * bnb_usd_x8, 100000000)) end`,
  realised_wei: sql<string>`coalesce(sum(realised_wei), 0)`,
  realised_usd_x18: sql<
    string | null
  >`case when count(*) filter (where side = 'sell') = count(realised_usd_x18) then coalesce(sum(realised_usd_x18), 0) end`,
};

/** All of these sums, to be selected in a group by trader or day. */
export const tradeSums = columnList(tradeSumColumns);

/** With the token's name and symbol, which are empty if the factory never announced it, and whether it is hidden. */
export type NamedTradeRow = TradeRow & { name: string; symbol: string; isHidden: boolean };

/** Selects the trades of a token, of a trader, of a trader in one token, or of the whole chain. */
export type TradeFilter = { chainId: number; mint?: Address; trader?: Address };

/** Reads a page of trades, the newest first. Keyset positions are time and id. */
export async function readTrades(db: Database, filter: TradeFilter, page: KeysetPage): Promise<TradeRow[]> {
  return await selectRows(db, () => newest(db, filter, page));
}

/** Reads a page of trades, the newest first, with their tokens' names. */
export async function readNamedTrades(
  db: Database,
  filter: TradeFilter,
  page: KeysetPage,
): Promise<NamedTradeRow[]> {
  const matches = newest(db, filter, page).as("found");
  return await selectRows(db, () =>
    db
      .select({
        ...tradeColumns(matches),
        name: sql<string>`coalesce(${token.name}, '')`,
        symbol: sql<string>`coalesce(${token.symbol}, '')`,
        isHidden: sql<boolean>`${isRowHidden(sql`${matches.chainId}`, sql`${matches.token}`)}`,
      })
      .from(matches)
      .leftJoin(token, and(eq(token.chainId, matches.chainId), eq(token.address, matches.token)))
      .orderBy(desc(matches.timestamp), desc(matches.id)),
  );
}

// Ids and times both follow the order of the chain, so by time and id, each filter has an index in that order.
function newest(db: Database, { chainId, mint, trader }: TradeFilter, { after, limit }: KeysetPage) {
  const { id, timestamp } = trade;
  const isUnfiltered = mint === undefined && trader === undefined;
  const isAfterCursor = isUnfiltered
    ? after && lt(id, after.second)
    : after && sql`(${timestamp}, ${id}) < (${after.first}::int8, ${after.second})`;
  return db
    .select(tradeColumns(trade))
    .from(trade)
    .where(
      and(
        eq(trade.chainId, chainId),
        mint === undefined ? undefined : eq(trade.token, mint),
        trader === undefined ? undefined : eq(trade.trader, trader),
        mint === undefined || trader === undefined ? undefined : withinTradingSpan(chainId, mint, trader),
        isAfterCursor,
      ),
    )
    .orderBy(...(isUnfiltered ? [desc(id)] : [desc(timestamp), desc(id)]))
    .limit(limit);
}

// No index has both token and trader: without this, a trader that never traded the token would cause a read of all trades of one
// of them.
function withinTradingSpan(chainId: number, mint: Address, trader: Address) {
  const { firstTradeAt, lastTradeAt } = position;
  const made = and(eq(position.chainId, chainId), eq(position.token, mint), eq(position.account, trader));
  return sql`${trade.timestamp} between (select ${firstTradeAt} from ${position} where ${made})
                                    and (select ${lastTradeAt} from ${position} where ${made})`;
}
