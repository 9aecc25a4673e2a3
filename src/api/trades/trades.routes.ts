import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
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
import { namedTrade, trade } from "./trade.schema.ts";

const paging =
  "Follow `nextCursor` for older ones: however many trades are added meanwhile, no page repeats or skips one.";

const tokenTrades = z
  .object({ mint: z.string(), chainId: z.int(), trades: z.array(trade), nextCursor })
  .openapi("TokenTrades");

export type TokenTrades = z.input<typeof tokenTrades>;

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

export type Trades = z.input<typeof trades>;

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
