import { createRoute, z } from "@hono/zod-openapi";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { jsonAnswers } from "../http/answer.schema.ts";
import { chainPosition, readPage, tradeCursor } from "../http/cursor.ts";
import { withEtag } from "../http/etag.ts";
import {
  address,
  chainId,
  cursor,
  limit,
  minBlock,
  mintParameter,
  nextCursor,
} from "../http/parameters.schema.ts";
import { chainProblems, problems, tokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { readNamedTrades, readTrades } from "../market/trades.query.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { namedTrade, toNamedTrade, toTrade, trade } from "./trade.schema.ts";

const paging =
  "Follow `nextCursor` for older ones: however many trades are added meanwhile, no page repeats or skips one.";

const tokenTrades = z
  .object({ mint: z.string(), chainId: z.int(), trades: z.array(trade), nextCursor })
  .openapi("TokenTrades");

type TokenTrades = z.input<typeof tokenTrades>;

export const tokenTradesRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/trades",
  operationId: "getTokenTrades",
  tags: ["Market"],
  summary: "Trades of a token on curve and DEX, newest first, each with the reserves after it.",
  description: paging,
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z.object({ limit, cursor, chainId, minBlock }),
  },
  responses: {
    ...jsonAnswers("A page of trades, newest first.", tokenTrades),
    ...problems(tokenProblems),
  },
});

const trades = z.object({ chainId: z.int(), trades: z.array(namedTrade), nextCursor }).openapi("Trades");

type Trades = z.input<typeof trades>;

export const tradesRoute = createRoute({
  method: "get",
  path: "/api/trades",
  operationId: "getTrades",
  tags: ["Market"],
  summary:
    "Trades of all tokens, of one token or of one trader, the newest first, each with the reserves after it.",
  description: `${paging} Trades of unregistered tokens are included.`,
  middleware: withEtag(),
  request: {
    query: z.object({
      mint: address.optional().openapi({ description: "Only trades of this token." }),
      trader: address.optional().openapi({ description: "Only trades of this account." }),
      limit,
      cursor,
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("A page of trades, newest first.", trades),
    ...problems(chainProblems),
  },
});

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
