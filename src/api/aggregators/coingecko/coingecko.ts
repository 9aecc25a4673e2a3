import { LRUCache } from "lru-cache";
import { eventId } from "../../../domain/ids.ts";
import { priceScale, toUsd, valueAt } from "../../../domain/price.ts";
import { createTickBudget } from "../../concurrency/event-loop.ts";
import type { Database } from "../../database/database.ts";
import { clientIp, clientKey } from "../../http/client-ip.ts";
import { invalidParameter, ProblemException } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { shareJson } from "../../http/shared-json.ts";
import { formatAmount, formatPrice, nativePrice } from "../../market/price.ts";
import type { AggregatorDeps } from "../shared/dex-addresses.ts";
import { getFinalBlock, unknownFinalToken } from "../shared/final-block.ts";
import { streamJson } from "../shared/json-stream.ts";
import {
  type HistoricalTradeRow,
  type HistoricalTradesQuery,
  isLaunchedBy,
  readFinalBnbUsd,
  readHistoricalTrades,
  readTickers,
  readTradedTokens,
  type TickerRow,
  type TickerWindow,
} from "./coingecko.query.ts";
import {
  type HistoricalTrade,
  type HistoricalTrades,
  historicalTradesRoute,
  maxTickers,
  type Ticker,
  tickersRoute,
} from "./coingecko.routes.ts";

const windowSeconds = 24 * 60 * 60;
/** How long a client may take for its pages, and the most tokens to remember for all clients. */
const pagingMs = 5 * 60_000;
const maxRemembered = 500_000;

/** Rows that are formatted in one tick of the event loop: a page of a thousand takes tens of milliseconds. */
const rowsPerTick = 50;

/** Where they are served, at the second place for aggregators that take a single base URL. */
const mounts = [
  { base: "/api/coingecko", idSuffix: "" },
  { base: "/api", idSuffix: "AtRoot" },
];

/** Serves tickers and trades in CoinGecko's format. */
export function createCoinGecko({ chains, db, getDexAddresses, trustedHops }: AggregatorDeps) {
  /** The tokens as a client's first page had them: one that trades afterwards must not move to a page that was read already. */
  const remembered = new LRUCache<string, string[]>({
    ttl: pagingMs,
    maxSize: maxRemembered,
    sizeCalculation: (tokens) => tokens.length,
  });

  const yieldWhenSpent = createTickBudget();

  async function formatInTurns<Row, Formatted>(
    client: string,
    rows: Row[],
    format: (row: Row) => Formatted[],
  ): Promise<Formatted[]> {
    const formatted: Formatted[] = [];
    for (let from = 0; from < rows.length; from += rowsPerTick) {
      await yieldWhenSpent(client);
      formatted.push(...rows.slice(from, from + rowsPerTick).flatMap(format));
    }
    return formatted;
  }

  async function readPage(client: string, page: number, limit: number, window: TickerWindow) {
    const key = `${window.chainId} ${client}`;
    let tokens = page === 1 ? undefined : remembered.get(key);
    if (tokens === undefined) {
      tokens = await readTradedTokens(db, window, maxTickers);
      if (tokens.length > limit) remembered.set(key, tokens);
      else remembered.delete(key);
    }
    return tokens.slice((page - 1) * limit, page * limit);
  }

  type TickerId = { base: string; target: string };

  async function assertKnownTicker(
    { base: mint, target }: TickerId,
    chainId: number,
    wbnb: string,
    block: number,
  ) {
    if (target !== wbnb) throw unknownTarget(target, wbnb);
    if (!(await isLaunchedBy(db, chainId, mint, block))) throw unknownFinalToken(mint, chainId);
  }

  const router = createRouter();
  for (const mount of mounts)
    router
      .openapi(tickersRoute(mount), async (c) => {
        const { ticker_id: ticker, page, limit, chainId } = c.req.valid("query");
        const chain = chains.choose(chainId);
        const [final, dex] = await Promise.all([getFinalBlock(db, chain.id), getDexAddresses(chain)]);
        const wbnb = dex.wbnb.toLowerCase();
        if (ticker !== undefined) await assertKnownTicker(ticker, chain.id, wbnb, final.block);
        // A client that reads pages up to an empty one would never end.
        if (ticker !== undefined && page > 1) return c.json([], 200);
        const window = { chainId: chain.id, final, windowSeconds };
        const client = clientKey(clientIp(c, trustedHops));
        const tokens = ticker === undefined ? await readPage(client, page, limit, window) : [ticker.base];
        const [rows, bnbUsdX8] = await Promise.all([
          readTickers(db, window, tokens),
          chain.priceFeeds.length === 0 ? undefined : readFinalBnbUsd(db, chain.id, final),
        ]);
        const byToken = new Map(rows.map((row) => [row.token, row]));
        const inOrder = tokens.flatMap((token) => byToken.get(token) ?? []);
        const body = await formatInTurns(client, inOrder, (row) => [toTicker(row, wbnb, bnbUsdX8)]);
        return c.json(body, 200);
      })
      .openapi(historicalTradesRoute(mount), async (c) => {
        const query = c.req.valid("query");
        const { start_time: start = 0, end_time: end = Number.POSITIVE_INFINITY } = query;
        if (start > end) throw invalidParameter("start_time", "must not be after end_time");
        const chain = chains.choose(query.chainId);
        const [final, dex] = await Promise.all([getFinalBlock(db, chain.id), getDexAddresses(chain)]);
        await assertKnownTicker(query.ticker_id, chain.id, dex.wbnb.toLowerCase(), final.block);
        const { type: side, limit } = query;
        const wanted = {
          chainId: chain.id,
          mint: query.ticker_id.base,
          from: Math.ceil(start),
          to: Math.min(Math.floor(end), final.timestamp),
          before: eventId(final.block + 1),
        };
        const client = clientKey(clientIp(c, trustedHops));
        const format = (rows: HistoricalTradeRow[]) => formatInTurns(client, rows, toHistoricalTrades);
        if (limit === 0) {
          const all = (of: "buy" | "sell") =>
            side === undefined || side === of
              ? readHistoricalTradeBatches(db, { ...wanted, side: of }, format)
              : [];
          return await streamJson<HistoricalTrades>(c, { buy: all("buy"), sell: all("sell") });
        }
        const trades = await format(await readHistoricalTrades(db, { ...wanted, side, limit }));
        const ofType = (type: "buy" | "sell") => trades.filter((trade) => trade.type === type);
        const body: HistoricalTrades = { buy: ofType("buy"), sell: ofType("sell") };
        return shareJson(body).send(c, "no-cache");
      });
  return router;
}

function unknownTarget(target: string, wbnb: string): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_not_found",
    title: "Ticker not found",
    detail: `Tokens trade only against ${wbnb} (WBNB), not against ${target}.`,
  });
}

/** Rows that are read at a time, which bounds the memory of one answer. */
const batchSize = 1_000;

/** Yields all of a token's trades, the latest first. */
async function* readHistoricalTradeBatches(
  db: Database,
  query: Omit<HistoricalTradesQuery, "limit">,
  format: (rows: HistoricalTradeRow[]) => Promise<HistoricalTrade[]>,
): AsyncGenerator<HistoricalTrade[], void> {
  let { to, before } = query;
  for (;;) {
    const rows = await readHistoricalTrades(db, { ...query, to, before, limit: batchSize });
    yield await format(rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    to = Number(last.timestamp);
    before = last.id;
  }
}

/** @param bnbUsdX8 USD for one BNB with 8 decimals; undefined if unknown */
function toTicker(row: TickerRow, wbnb: string, bnbUsdX8: string | undefined): Ticker {
  const price = formatPrice(row.price_bnb_x36);
  const usd = bnbUsdX8 === undefined ? null : toUsd(liquidityBnb(row), BigInt(bnbUsdX8));
  return {
    ticker_id: `${row.token}_${wbnb}`,
    base_currency: row.token,
    target_currency: wbnb,
    pool_id: row.pair ?? row.token,
    last_price: price,
    base_volume: formatAmount(row.volume_raw ?? "0"),
    target_volume: formatAmount(row.volume_wei ?? "0"),
    ...(usd === null ? {} : { liquidity_in_usd: formatAmount(String(usd)) }),
    bid: price,
    ask: price,
    high: formatPrice(row.high_bnb_x36),
    low: formatPrice(row.low_bnb_x36),
  };
}

/**
 * The liquidity in wei. For a pair, both sides at its price. For a curve, the BNB paid in plus the tokens left to buy at its
 * price: its virtual reserves less those that it started with or never sells.
 */
function liquidityBnb(row: TickerRow): bigint {
  const bnb = BigInt(row.bnb_reserves_wei);
  if (row.pair !== null) return 2n * bnb;
  const startTokens = BigInt(row.start_tokens);
  // The opening price was rounded down.
  const startBnb = (BigInt(row.opening_price_bnb_x36) * startTokens + priceScale - 1n) / priceScale;
  const left = clampToZero(BigInt(row.token_reserves_raw) - startTokens + BigInt(row.total_to_sell));
  return clampToZero(bnb - startBnb) + valueAt(BigInt(row.price_bnb_x36), left);
}

const clampToZero = (amount: bigint) => (amount < 0n ? 0n : amount);

/** Leaves room for a block's log indexes, while trade ids stay integers that JSON parsers read exactly. */
const maxLogsPerBlock = 1_000_000;

/** Returns none for a trade without a price. */
function toHistoricalTrades(row: HistoricalTradeRow): HistoricalTrade[] {
  const price = nativePrice(BigInt(row.bnb_amount_wei), BigInt(row.token_amount_raw));
  if (price === undefined) return [];
  return [
    {
      trade_id: Number(row.block) * maxLogsPerBlock + row.log_index,
      price,
      base_volume: formatAmount(row.token_amount_raw),
      target_volume: formatAmount(row.bnb_amount_wei),
      trade_timestamp: Number(row.timestamp) * 1_000,
      type: row.side,
    },
  ];
}
