import type { ChainSettings } from "../../../../config/env.ts";
import { eventId } from "../../../curve/event-id.ts";
import type { Chains } from "../../chain/chains.ts";
import { unknownToken } from "../../chain/unknown-token.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { ProblemException } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { shareJson } from "../../http/shared-json.ts";
import type { DexAddresses } from "../dexscreener/dex-screener.mapper.ts";
import { getFinalBlock } from "../shared/final-block.ts";
import { readHistoricalTradeBatches } from "../shared/historical-trades.ts";
import { streamJson } from "../shared/json-stream.ts";
import { toHistoricalTrades, toTicker } from "./coingecko.mapper.ts";
import {
  type CoinGeckoMount,
  type HistoricalTrades,
  historicalTradesRoute,
  tickersRoute,
} from "./coingecko.routes.ts";
import { isLaunchedBy, readHistoricalTrades } from "./historical-trades.query.ts";
import { readFinalBnbUsd, readTickers } from "./tickers.query.ts";

const windowSeconds = 24 * 60 * 60;

export type CoinGeckoDeps = {
  chains: Chains;
  db: PooledDatabase;
  getDexAddresses: (chain: ChainSettings) => Promise<DexAddresses>;
};

/** Serves tickers and trades in CoinGecko's format. */
export function createCoinGecko({ chains, db, getDexAddresses }: CoinGeckoDeps, mount: CoinGeckoMount) {
  type TickerId = { base: string; target: string };

  async function assertKnownTicker(
    { base: mint, target }: TickerId,
    chainId: number,
    wbnb: string,
    block: number,
  ) {
    if (target !== wbnb) throw unknownTarget(target, wbnb);
    if (!(await isLaunchedBy(db, chainId, mint, block))) throw unknownToken(mint, chainId);
  }

  return createRouter()
    .openapi(tickersRoute(mount), async (c) => {
      const { ticker_id: ticker, page, limit, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const [final, dex] = await Promise.all([getFinalBlock(db, chain.id), getDexAddresses(chain)]);
      const wbnb = dex.wbnb.toLowerCase();
      if (ticker !== undefined) await assertKnownTicker(ticker, chain.id, wbnb, final.block);
      const of = ticker === undefined ? { offset: (page - 1) * limit, limit } : { mint: ticker.base };
      const [rows, bnbUsdX8] = await Promise.all([
        readTickers(db, { chainId: chain.id, final, windowSeconds, of }),
        chain.priceFeeds.length === 0 ? undefined : readFinalBnbUsd(db, chain.id, final),
      ]);
      const body = rows.map((row) => toTicker(row, wbnb, bnbUsdX8));
      return c.json(body, 200);
    })
    .openapi(historicalTradesRoute(mount), async (c) => {
      const query = c.req.valid("query");
      const chain = chains.choose(query.chainId);
      const [final, dex] = await Promise.all([getFinalBlock(db, chain.id), getDexAddresses(chain)]);
      await assertKnownTicker(query.ticker_id, chain.id, dex.wbnb.toLowerCase(), final.block);
      const { type: side, limit } = query;
      const wanted = {
        chainId: chain.id,
        mint: query.ticker_id.base,
        from: Math.ceil(query.start_time ?? 0),
        to: Math.min(Math.floor(query.end_time ?? final.timestamp), final.timestamp),
        before: eventId(final.block + 1),
      };
      if (limit === 0) {
        const all = (of: "buy" | "sell") =>
          side === undefined || side === of ? readHistoricalTradeBatches(db, { ...wanted, side: of }) : [];
        return await streamJson<HistoricalTrades>(c, { buy: all("buy"), sell: all("sell") });
      }
      const trades = toHistoricalTrades(await readHistoricalTrades(db, { ...wanted, side, limit }));
      const ofType = (type: "buy" | "sell") => trades.filter((trade) => trade.type === type);
      const body: HistoricalTrades = { buy: ofType("buy"), sell: ofType("sell") };
      return shareJson(body).send(c, "no-cache");
    });
}

function unknownTarget(target: string, wbnb: string): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_not_found",
    title: "Ticker not found",
    detail: `Tokens trade only against ${wbnb} (WBNB), not against ${target}.`,
  });
}
