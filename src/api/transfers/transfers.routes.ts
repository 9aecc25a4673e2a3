import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import {
  address,
  chainId,
  cursor,
  inOrder,
  limit,
  minBlock,
  mintParameter,
  nextCursor,
  time,
} from "../http/parameters.schema.ts";
import { chainProblems, problems, tokenProblems } from "../http/problem.schema.ts";
import { transfer } from "./transfer.schema.ts";

const filters = {
  from: address.optional().openapi({ description: "Only transfers by this account." }),
  to: address.optional().openapi({ description: "Only transfers to this account." }),
  after: time.optional().openapi({
    description: "Only transfers at this time or later: seconds since 1970, or ISO 8601.",
  }),
  before: time.optional().openapi({
    description: "Only transfers before this time: seconds since 1970, or ISO 8601.",
  }),
  limit,
  cursor,
  chainId,
  minBlock,
};

const description =
  "Movements of tokens that are no part of a trade, a creation, a graduation or a change of liquidity: gifts, airdrops, fees, burns. Follow `nextCursor` for older ones: no page repeats or skips a transfer, even if new ones come in meanwhile.";

const tokenTransfers = z
  .object({ mint: z.string(), chainId: z.int(), transfers: z.array(transfer), nextCursor })
  .openapi("TokenTransfers");

export type TokenTransfers = z.input<typeof tokenTransfers>;

export const tokenTransfersRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/transfers",
  operationId: "getTokenTransfers",
  tags: ["Market"],
  summary: "Transfers of a token beside its trades, newest first.",
  description,
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z
      .object({
        account: address.optional().openapi({ description: "Only transfers by or to this account." }),
        ...filters,
      })
      .refine(...inOrder("after", "before")),
  },
  responses: {
    ...jsonAnswers("A page of transfers, newest first.", tokenTransfers),
    ...problems(tokenProblems),
  },
});

const accountTransfers = z
  .object({ address: z.string(), chainId: z.int(), transfers: z.array(transfer), nextCursor })
  .openapi("AccountTransfers");

export type AccountTransfers = z.input<typeof accountTransfers>;

export const accountTransfersRoute = createRoute({
  method: "get",
  path: "/api/account/{address}/transfers",
  operationId: "getAccountTransfers",
  tags: ["Accounts"],
  summary: "Transfers by and to an account beside its trades, newest first.",
  description: `${description} Those by the account have it as \`from\`, those to it as \`to\`.`,
  middleware: withEtag(),
  request: {
    params: z.object({
      address: address.openapi({ param: { name: "address", in: "path" }, description: "The account." }),
    }),
    query: z
      .object({
        mint: address.optional().openapi({ description: "Only transfers of this token." }),
        ...filters,
      })
      .refine(...inOrder("after", "before")),
  },
  responses: {
    ...jsonAnswers("A page of transfers, newest first.", accountTransfers),
    ...problems(chainProblems),
  },
});
