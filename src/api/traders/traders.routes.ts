import { createRoute, z } from "@hono/zod-openapi";
import { toPositionFields } from "../accounts/account.mapper.ts";
import { averageCost, positionFields } from "../accounts/account.schema.ts";
import type { Chains } from "../chain/chains.ts";
import type { ReadDexFee } from "../chain/dex-terms.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { amount, jsonAnswers, lowercaseAddress } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, limit, minBlock, mintParameter } from "../http/parameters.schema.ts";
import { problems, tokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { toAccountLabels } from "../market/market.mapper.ts";
import { accountLabels } from "../market/market.schema.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { readTraders, type TraderRow } from "./traders.query.ts";

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

type Trader = z.input<typeof trader>;

const traders = z
  .object({
    mint: lowercaseAddress,
    chainId: z.int(),
    sort: z.enum(orders),
    traders: z.array(trader),
  })
  .openapi("Traders");

type Traders = z.input<typeof traders>;

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

type TradersDeps = { chains: Chains; db: Database; readDexFee: ReadDexFee };

export function createTraders({ chains, db, readDexFee }: TradersDeps) {
  return createRouter().openapi(tradersRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { sort, limit, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const dexFee = (await readDexFee(chain)) ?? null;
    const [token, rows] = await Promise.all([
      readIndexedToken(db, chain.id, mint),
      readTraders(db, { chainId: chain.id, mint, sort, limit, dexFee }),
    ]);
    if (token === undefined) throw unknownToken(mint, chain.id);
    const body: Traders = { mint, chainId: chain.id, sort, traders: rows.map(toTrader) };
    return c.json(body, 200);
  });
}

function toTrader(row: TraderRow, index: number): Trader {
  return {
    rank: index + 1,
    address: row.account,
    labels: toAccountLabels(row),
    balanceRaw: row.balance_raw ?? "0",
    ...toPositionFields(row),
  };
}
