import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { paginate, tradeCursor } from "../http/cursor.ts";
import { createRouter } from "../http/router.ts";
import { readNamedTrades, readTrades } from "../market/trades.query.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { toNamedTrade, toTrade, toTradePosition } from "./trade.mapper.ts";
import { type TokenTrades, type Trades, tokenTradesRoute, tradesRoute } from "./trades.routes.ts";

export function createTrades({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter()
    .openapi(tokenTradesRoute, async (c) => {
      const { mint } = c.req.valid("param");
      const { limit, cursor, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const [token, found] = await Promise.all([
        readIndexedToken(db, chain.id, mint),
        // One more than the page holds, to know whether there is a next one.
        readTrades(db, { chainId: chain.id, mint }, { after: cursor, limit: limit + 1 }),
      ]);
      if (token === undefined) throw unknownToken(mint, chain.id);
      const { rows, nextCursor } = paginate(found, limit, tradeCursor, toTradePosition);
      const body: TokenTrades = { mint, chainId: chain.id, trades: rows.map(toTrade), nextCursor };
      return c.json(body, 200);
    })
    .openapi(tradesRoute, async (c) => {
      const { mint, trader, limit, cursor, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const page = { after: cursor, limit: limit + 1 };
      const found = await readNamedTrades(db, { chainId: chain.id, mint, trader }, page);
      const { rows, nextCursor } = paginate(found, limit, tradeCursor, toTradePosition);
      const body: Trades = { chainId: chain.id, trades: rows.map(toNamedTrade), nextCursor };
      return c.json(body, 200);
    });
}
