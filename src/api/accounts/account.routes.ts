import { createRoute, z } from "@hono/zod-openapi";
import { decimal, jsonAnswers, usd } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { address, chainId, cursor, limit, minBlock, nextCursor } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { creatorRecord } from "../market/market.schema.ts";
import { namedTrade } from "../trades/trade.schema.ts";
import { accountTotals, averageCost, createdToken, holding, position } from "./account.schema.ts";

const addressParameter = z.object({
  address: address.openapi({ param: { name: "address", in: "path" }, description: "The account." }),
});

const mint = address.optional().openapi({ description: "Only entries of this token." });

const answers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  ...jsonAnswers(description, schema),
  ...problems(chainProblems),
});

const account = z
  .object({
    address: z.string(),
    chainId: z.int(),
    firstSeenAt: z.iso.datetime().nullable().openapi({
      description: "When it first held, traded or created a token; null if it never did.",
    }),
    nativeBalanceBnb: decimal(
      "The account's BNB at the block in X-Index-Block, as everything else here. Null if the chain's RPC endpoint does not answer, or no longer has the state at that block.",
    ).nullable(),
    nativeBalanceUsd: usd("nativeBalanceBnb in USD now; left out if that is null."),
    totals: accountTotals,
    creatorRecord,
    holdings: z.array(holding).openapi({ description: "The most valuable first." }),
    createdTokens: z.array(createdToken).openapi({ description: "The newest first." }),
    positions: z.array(position).openapi({
      description:
        "Results by token, the last traded first. Those that were never traded, only received or sent, come last.",
    }),
    trades: z.array(namedTrade).openapi({ description: "The newest first." }),
    nextCursor: z
      .object({
        holdings: nextCursor,
        createdTokens: nextCursor,
        positions: nextCursor,
        trades: nextCursor,
      })
      .openapi({ description: "For each list the `cursor` of its next page; null if there is none." }),
  })
  .openapi("Account");

export type Account = z.input<typeof account>;

export const accountRoute = createRoute({
  method: "get",
  path: "/api/account/{address}",
  operationId: "getAccount",
  tags: ["Accounts"],
  summary:
    "An account: its BNB, holdings with their value at spot and at exit, tokens created, trades, realised and unrealised results.",
  description: `The first page of every list, and totals over all of them. Continue with nextCursor at /api/account/{address}/holdings, /created-tokens, /positions and at /api/trades?trader={address}. An account without any activity gets 200 with empty lists. ${averageCost}`,
  middleware: withEtag(),
  request: {
    params: addressParameter,
    query: z.object({
      mint: mint.openapi({
        description: "Only entries of this token in the lists. The totals cover all tokens.",
      }),
      limit: limit.openapi({ description: "Entries per list." }),
      chainId,
      minBlock,
    }),
  },
  responses: answers("The account.", account),
});

type AccountList<Path extends string, Schema extends z.ZodType> = {
  path: Path;
  operationId: string;
  summary: string;
  description: string;
  schema: Schema;
};

/** Creates the route of one of an account's lists. */
function listRoute<Path extends string, Schema extends z.ZodType>({
  path,
  operationId,
  schema,
  ...described
}: AccountList<Path, Schema>) {
  return createRoute({
    method: "get",
    path: `/api/account/{address}/${path}` as const,
    operationId,
    tags: ["Accounts"],
    ...described,
    middleware: withEtag(),
    request: {
      params: addressParameter,
      query: z.object({ mint, limit, cursor, chainId, minBlock }),
    },
    responses: answers("A page of the list.", schema),
  });
}

const ofAccount = { address: z.string(), chainId: z.int() };

const holdings = z.object({ ...ofAccount, holdings: z.array(holding), nextCursor }).openapi("Holdings");
const positions = z.object({ ...ofAccount, positions: z.array(position), nextCursor }).openapi("Positions");
const createdTokens = z
  .object({ ...ofAccount, createdTokens: z.array(createdToken), nextCursor })
  .openapi("CreatedTokens");

export type Holdings = z.input<typeof holdings>;
export type Positions = z.input<typeof positions>;
export type CreatedTokens = z.input<typeof createdTokens>;

export const holdingsRoute = listRoute({
  path: "holdings",
  operationId: "getHoldings",
  summary: "Tokens that an account holds, the most valuable first.",
  description:
    "Ordered by current value: if prices move between two requests, a token may appear on both pages or on neither.",
  schema: holdings,
});

export const positionsRoute = listRoute({
  path: "positions",
  operationId: "getPositions",
  summary: "An account's results by token, the last traded first.",
  description: averageCost,
  schema: positions,
});

export const createdTokensRoute = listRoute({
  path: "created-tokens",
  operationId: "getCreatedTokens",
  summary: "Tokens that an account created, the newest first, registered or not.",
  description: "Pages neither repeat nor skip a token, whatever is created in between.",
  schema: createdTokens,
});
