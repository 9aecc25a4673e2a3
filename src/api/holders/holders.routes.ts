import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { pageFields } from "../http/page.schema.ts";
import { chainId, limit, minBlock, mintParameter, wholeNumber } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { accountLabels, risk } from "../market/market.schema.ts";

/** The last rank that pages reach. */
export const maxRank = 10_000;

const holder = z.object({
  rank: z.int().min(1),
  address: z.string(),
  balanceRaw: z.string().regex(/^\d+$/).openapi({ description: "Base units (18 decimals)." }),
  percent: z
    .number()
    .min(0)
    .openapi({ description: "Percent of totalSupplyRaw, rounded down to 4 decimals." }),
  label: z.enum(["launchpad", "pair", "creator", "burn"]).nullable(),
  earlyBuyer: z.boolean().openapi({
    description: "Whether it bought in the curve's first three blocks.",
  }),
  labels: accountLabels,
});

export type Holder = z.input<typeof holder>;

const holders = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    holderCount: z.int().openapi({
      description: "Accounts with a balance, not counting the launchpad, the pair and burn addresses.",
    }),
    totalSupplyRaw: z.string().regex(/^\d+$/).openapi({ description: "Base units (18 decimals)." }),
    risk,
    holders: z.array(holder),
    ...pageFields,
  })
  .openapi("Holders");

export type Holders = z.input<typeof holders>;

export const holdersRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/holders",
  operationId: "getHolders",
  tags: ["Tokens"],
  summary:
    "Who holds a token: the number of holders, their concentration, and holders by balance with their share of the supply.",
  description:
    "The launchpad, the pair and burn addresses are listed with a label, but do not count as holders.",
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z.object({
      page: wholeNumber(1, maxRank)
        .optional()
        .default(1)
        .openapi({ type: "integer", minimum: 1, default: 1, description: "The page number, from 1." }),
      limit,
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers(
      `A page of holders, the largest first. Pages reach down to rank ${maxRank}; GraphQL has all.`,
      holders,
    ),
    ...problems({
      400: "A parameter is wrong.",
      404: "The index has no such token (yet), or the chain is not indexed here.",
      503: "The database is unavailable.",
    }),
  },
});
