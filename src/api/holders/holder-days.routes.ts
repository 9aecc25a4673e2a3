import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock, mintParameter, wholeNumber } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";

const maxDays = 365;
const defaultDays = 30;

/** The most balances that an answer is computed from, one per holder and day. */
export const maxBalances = 500_000;

const holderDay = z.object({
  day: z.iso.date().openapi({ description: "The day in UTC." }),
  holders: z.int().min(0).openapi({
    description: "Accounts with a balance, not counting the launchpad, the pair and burn addresses.",
  }),
  top10Percent: z.number().min(0).nullable().openapi({
    description:
      "Percent of the circulating supply that the ten largest holders held, rounded down to 4 decimals. Null if nothing circulated.",
  }),
  effectiveHolders: z.number().min(0).nullable().openapi({
    description: "Effective number of holders, as in `risk`. Null if nothing circulated.",
  }),
});

const holderDays = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    asOf: z.object({ block: z.int(), time: z.iso.datetime() }).openapi({
      description: "The last indexed block. It is in the last day, which is not over yet.",
    }),
    days: z.array(holderDay).openapi({
      description: "Oldest first, each day once, from the token's creation at the earliest.",
    }),
  })
  .openapi("HolderDays");

export type HolderDays = z.input<typeof holderDays>;

export const holderDaysRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/holders/history",
  operationId: "getHolderHistory",
  tags: ["Tokens"],
  summary:
    "How many holders a token had at the end of each day, and how concentrated their holdings were, for charts.",
  description: `Days begin at midnight UTC; the last one is that of the last indexed block. An answer is computed from at most ${maxBalances} balances, one per holder and day: a token with 10,000 holders has ${maxBalances / 10_000} days.`,
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z.object({
      days: wholeNumber(1, maxDays)
        .optional()
        .default(defaultDays)
        .openapi({
          ...{ type: "integer", minimum: 1, maximum: maxDays, default: defaultDays },
          description: "How many days, including today.",
        }),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The days.", holderDays),
    ...problems({
      400: "A parameter is wrong.",
      404: "The index has no such token (yet), or the chain is not indexed here.",
      503: "The database is unavailable.",
    }),
  },
});
