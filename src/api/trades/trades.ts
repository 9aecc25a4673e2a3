import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { chainPosition, readPage, tradeCursor } from "../http/cursor.ts";
import { createRouter } from "../http/router.ts";
import { readNamedTrades, readTrades } from "../market/trades.query.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { toNamedTrade, toTrade } from "./trade.mapper.ts";
import { type TokenTrades, type Trades, tokenTradesRoute, tradesRoute } from "./trades.routes.ts";

export function createTrades({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter()
    .openapi(tokenTradesRoute, async (c) => {
      const { mint } = c.req.valid("param");
      const query = c.req.valid("query");
      const chain = chains.choose(query.chainId);
      const filter = { chainId: chain.id, mint };
      const [token, { rows, nextCursor }] = await Promise.all([
        readIndexedToken(db, chain.id, mint),
        readPage(query, tradeCursor(filter), chainPosition, (page) => readTrades(db, filter, page)),
      ]);
      if (token === undefined) throw unknownToken(mint, chain.id);
      const body: TokenTrades = { mint, chainId: chain.id, trades: rows.map(toTrade), nextCursor };
      return c.json(body, 200);
    })
    .openapi(tradesRoute, async (c) => {
      const { mint, trader, chainId, ...query } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const filter = { chainId: chain.id, mint, trader };
      const { rows, nextCursor } = await readPage(query, tradeCursor(filter), chainPosition, (page) =>
        readNamedTrades(db, filter, page),
      );
      const body: Trades = { chainId: chain.id, trades: rows.map(toNamedTrade), nextCursor };
      return c.json(body, 200);
    });
}
