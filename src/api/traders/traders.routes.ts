import { createRoute, z } from "@hono/zod-openapi";
import { averageCost, positionFields } from "../accounts/account.schema.ts";
import { amount, jsonAnswers, lowercaseAddress } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, limit, minBlock, mintParameter } from "../http/parameters.schema.ts";
import { problems, tokenProblems } from "../http/problem.schema.ts";
import { accountLabels } from "../market/market.schema.ts";

const orders = ["realised", "unrealised", "volume", "bought", "sold"] as const;
export type TraderOrder = (typeof orders)[number];

const trader = z
  .object({
    rank: z.int().min(1),
    address: lowercaseAddress.openapi({ description: "The account." }),
    labels: accountLabels,
    balanceRaw: amount("Base units (18 decimals) that the account holds now."),
    ...positionFields,
  })
  .openapi("Trader", { description: averageCost });

export type Trader = z.input<typeof trader>;

const traders = z
  .object({
    mint: lowercaseAddress,
    chainId: z.int(),
    sort: z.enum(orders),
    traders: z.array(trader),
  })
  .openapi("Traders");

export type Traders = z.input<typeof traders>;

export const tradersRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/traders",
  operationId: "getTokenTraders",
  tags: ["Market"],
  summary: "A token's top traders, with what each paid, received, realised and still holds.",
  description:
    "Accounts that bought or sold the token, on the curve and the DEX, the largest value first. GraphQL's `positions` has all of them.",
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z.object({
      sort: z
        .enum(orders, `must be one of ${orders.join(", ")}`)
        .optional()
        .default("realised")
        .openapi({
          description:
            "What traders are ordered by: BNB realised by their sells, BNB that their open tokens would add at the current price, BNB traded, BNB paid for buys, or BNB received for sells.",
        }),
      limit,
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The first traders in the order.", traders),
    ...problems(tokenProblems),
  },
});
