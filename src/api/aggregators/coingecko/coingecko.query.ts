import { bnbUsdAnswer, candle, curve, liquidityChange, token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { eventId } from "../../../domain/ids.ts";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";
import { isHidden, isRowHidden } from "../../market/hidden-token.query.ts";
import { type Span, splitSpan } from "../../market/time.ts";
import { priceAfter } from "../../market/windows.query.ts";
import type { FinalBlock } from "../shared/final-rows.query.ts";

/** A token's market as of the final block, and what was traded in the window. Amounts are decimal strings in wei and base units. */
export type TickerRow = {
  token: string;
  /** The DEX pair, once the graduation is final. */
  pair: string | null;
  /** As of the last final trade, or the last final change of the pair's liquidity after it. */
  bnb_reserves_wei: string;
  /** As of the last final trade. */
  token_reserves_raw: string;
  price_bnb_x36: string;
  /** Constants of the curve. */
  opening_price_bnb_x36: string;
  start_tokens: string;
  total_to_sell: string;
  /** Within the window. */
  volume_raw: string | null;
  volume_wei: string | null;
  high_bnb_x36: string;
  low_bnb_x36: string;
};

export type TickerWindow = {
  chainId: number;
  final: FinalBlock;
  /** Seconds before the last indexed block. */
  windowSeconds: number;
};

const windowStart = ({ final, windowSeconds }: TickerWindow) => final.now - windowSeconds + 1;

/** Returns the tokens traded in the window, in final blocks, the most recently traded first. `offset 0`: see {@link isRowHidden}. */
export async function readTradedTokens(db: Database, query: TickerWindow, limit: number): Promise<string[]> {
  const { chainId, final } = query;
  const start = windowStart(query);
  const rows = await queryRows<{ token: string }>(
    db,
    sql`select c.token from ${curve} c
        where c.chain_id = ${chainId} and c.last_trade_at >= ${start}
          and (c.last_trade_at < ${final.timestamp} or exists (
            select from ${trade} tr
            where tr.chain_id = c.chain_id and tr.token = c.token and (tr.token, tr.timestamp) >= (c.token, ${start}::int8)
              and (tr.token, tr.timestamp) <= (c.token, ${final.timestamp}::int8) and tr.id < ${eventId(final.block + 1)} offset 0))
          and exists (select from ${token} t where t.chain_id = c.chain_id and t.address = c.token offset 0)
          and not ${isRowHidden(sql`c.chain_id`, sql`c.token`)}
        order by c.last_trade_at desc, c.token desc limit ${limit}`,
  );
  return rows.map(({ token }) => token);
}

/** Computes tickers of these tokens, in no particular order, from the trades of final blocks. A token without a trade has no ticker. */
export async function readTickers(db: Database, query: TickerWindow, tokens: string[]): Promise<TickerRow[]> {
  const { chainId, final } = query;
  const start = windowStart(query);
  const before = eventId(final.block + 1);
  return await queryRows<TickerRow>(
    db,
    sql`select market.token, market.pair, market.bnb_reserves_wei, market.token_reserves_raw,
          coalesce(market.price_bnb_x36, market.opening_price_bnb_x36) as price_bnb_x36, market.opening_price_bnb_x36,
          market.start_tokens, market.total_to_sell, traded.volume_raw, traded.volume_wei,
          greatest(traded.high_bnb_x36, coalesce(begun.price_bnb_x36, market.opening_price_bnb_x36)) as high_bnb_x36,
          least(traded.low_bnb_x36, coalesce(begun.price_bnb_x36, market.opening_price_bnb_x36)) as low_bnb_x36
        from (
          select c.chain_id, c.token, c.opening_price_bnb_x36, c.virtual_token_reserves + c.tokens_sold as start_tokens,
            c.total_to_sell, last.token_reserves_raw, last.price_bnb_x36,
            case when pool.id > last.id then pool.bnb_reserves_wei else last.bnb_reserves_wei end as bnb_reserves_wei,
            case when pool.id is not null then c.pair end as pair
          from ${curve} c
          join ${token} t on t.chain_id = c.chain_id and t.address = c.token
          cross join lateral (
            select tr.id, tr.bnb_reserves_wei, tr.token_reserves_raw, ${priceAfter("tr")} as price_bnb_x36
            from ${trade} tr
            where tr.chain_id = c.chain_id and tr.token = c.token and tr.timestamp <= ${final.timestamp}
              and tr.id < ${before}
            order by tr.timestamp desc, tr.id desc limit 1) last
          left join lateral (
            select l.id, l.bnb_reserves_wei from ${liquidityChange} l
            where l.chain_id = c.chain_id and l.token = c.token and l.timestamp <= ${final.timestamp}
              and l.id < ${before}
            order by l.timestamp desc, l.id desc limit 1) pool on true
          where c.chain_id = ${chainId} and c.token = any(${sql.param(tokens)}::text[])
            and not ${isHidden(sql`c.chain_id`, sql`c.token`)}) market
        left join lateral (
          select ${priceAfter("tr")} as price_bnb_x36 from ${trade} tr
          where tr.chain_id = market.chain_id and tr.token = market.token and tr.timestamp < ${start}
            and tr.id < ${before}
          order by tr.timestamp desc, tr.id desc limit 1) begun on true
        cross join lateral (
          select sum(part.volume_raw) as volume_raw, sum(part.volume_wei) as volume_wei,
            max(part.high_bnb_x36) as high_bnb_x36, min(part.low_bnb_x36) as low_bnb_x36
          from (${selectTraded({ from: start, to: final.timestamp + 1 }, before)}) part) traded`,
  );
}

/** Selects the volumes and price ranges that add up to the span. Whole candles end before the final block's time, so they are final. */
function selectTraded(span: Span, before: string): SQL {
  // Later blocks of the last second may not be final.
  const { hours, minutes, rests } = splitSpan({ from: span.from, to: span.to - 1 });
  const [first, last] = rests;
  const candles = (interval: string, { from, to }: Span) =>
    sql`select k.volume_raw, k.volume_wei, k.high_bnb_x36, k.low_bnb_x36 from ${candle} k
        where k.chain_id = market.chain_id and k.token = market.token and k.interval = ${interval}
          and k.open_time >= ${from} and k.open_time < ${to}`;
  // Compared as pairs, so that the planner can't use the index on time alone and read every other token's trades too.
  const trades = ({ from, to }: Span) =>
    sql`select tr.token_amount_raw, tr.bnb_amount_wei, ${priceAfter("tr")}, ${priceAfter("tr")} from ${trade} tr
        where tr.chain_id = market.chain_id and tr.token = market.token
          and (tr.token, tr.timestamp) >= (market.token, ${from}::int8)
          and (tr.token, tr.timestamp) < (market.token, ${to}::int8) and tr.id < ${before}`;
  return sql.join(
    [
      candles("1h", hours),
      ...minutes.map((part) => candles("1m", part)),
      trades(first),
      trades({ from: Math.max(last.from, span.from), to: span.to }),
    ],
    sql` union all `,
  );
}

/** USD for one BNB with 8 decimals, from the price feed's last answer up to the final block; undefined if there was none. */
export async function readFinalBnbUsd(
  db: Database,
  chainId: number,
  final: FinalBlock,
): Promise<string | undefined> {
  const [row] = await queryRows<{ answer_usd_x8: string }>(
    db,
    sql`select answer_usd_x8 from ${bnbUsdAnswer}
        where chain_id = ${chainId} and id < ${eventId(final.block + 1)} order by id desc limit 1`,
  );
  return row?.answer_usd_x8;
}

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
  { chainId, mint, side, from, to, before, ...query }: HistoricalTradesQuery,
): Promise<HistoricalTradeRow[]> {
  // Ends the scan with the last trade of a side that has few, or none.
  const limit =
    side === undefined
      ? query.limit
      : Math.min(query.limit, await countTrades(db, { chainId, mint, side, from, to }));
  if (limit <= 0) return [];
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

/** Counts a token's trades of one side, with those that have no price, by what is counted in the last trades of two times. */
async function countTrades(
  db: Database,
  {
    chainId,
    mint,
    side,
    from,
    to,
  }: Required<Pick<HistoricalTradesQuery, "chainId" | "mint" | "side" | "from" | "to">>,
): Promise<number> {
  const countThrough = (seconds: number) =>
    sql`coalesce((
      select ${side === "buy" ? trade.buysToDate : trade.sellsToDate} from ${trade}
      where chain_id = ${chainId} and (token, timestamp) >= (${mint}, 0::int8) and (token, timestamp) <= (${mint}, ${seconds}::int8)
      order by token desc, timestamp desc, id desc limit 1), 0)`;
  const [row] = await queryRows<{ count: number }>(
    db,
    sql`select ${countThrough(to)} - ${countThrough(from - 1)} as count`,
  );
  return row?.count ?? Number.POSITIVE_INFINITY;
}

/** Whether the token was launched at or before the block, and is not hidden. */
export async function isLaunchedBy(
  db: Database,
  chainId: number,
  mint: string,
  block: number,
): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`select 1 from ${token} t
        where t.chain_id = ${chainId} and t.address = ${mint} and t.created_block <= ${block}
        and not ${isHidden(sql`t.chain_id`, sql`t.address`)}`,
  );
  return rows.length > 0;
}
