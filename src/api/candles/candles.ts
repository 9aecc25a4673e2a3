import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/unknown-token.ts";
import type { PooledDatabase } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { toCandle } from "./candle.mapper.ts";
import { type Candles, candlesRoute } from "./candles.routes.ts";
import { loadCandles } from "./load-candles.ts";

export function createCandles({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(candlesRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { chainId, minBlock: _, ...request } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const candles = await loadCandles(db, { chainId: chain.id, mint, ...request });
    if (candles === undefined) throw unknownToken(mint, chain.id);
    const { interval } = request;
    const body: Candles = { mint, chainId: chain.id, interval, candles: candles.map(toCandle) };
    return c.json(body, 200);
  });
}
