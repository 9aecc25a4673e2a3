import { createRoute, z } from "@hono/zod-openapi";
import { averageCost } from "../accounts/account.schema.ts";
import { decimal, jsonAnswers, signed, usd } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { address, chainId, lastDays, minBlock } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";

const maxDays = 365;

/** From so many trades an answer is computed. */
export const maxTrades = 200_000;

const unknownUsd = "Omitted if one of those trades had no BNB/USD rate.";

const day = z.object({
  day: z.iso.date().openapi({ description: "In UTC." }),
  buys: z.int().min(0),
  sells: z.int().min(0),
  profitableSells: z.int().min(0).openapi({ description: "How many of the sells realised a gain in BNB." }),
  volumeBnb: decimal("BNB paid and received for tokens."),
  realisedBnb: signed("BNB that the sells realised; a loss is below 0."),
  realisedUsd: signed(
    `The same in USD, each trade at the rate of its time; a loss is below 0. ${unknownUsd}`,
  ).optional(),
  volumeUsd: usd(`volumeBnb in USD, each trade at the rate of its time. ${unknownUsd}`),
});

const accountDays = z
  .object({
    address: z.string(),
    chainId: z.int(),
    days: z.array(day).openapi({ description: "The oldest first, without gaps, up to today." }),
  })
  .openapi("AccountDays");

export type AccountDays = z.input<typeof accountDays>;

export const accountDaysRoute = createRoute({
  method: "get",
  path: "/api/account/{address}/days",
  operationId: "getAccountDays",
  tags: ["Accounts"],
  summary: "What an account traded and realised on each of the last days.",
  description: `Days are in UTC; today's is as of the last indexed block. An answer is computed from the account's last ${maxTrades.toLocaleString("en")} trades, so it has fewer days if these don't reach as far back. ${averageCost}`,
  middleware: withEtag(),
  request: {
    params: z.object({
      address: address.openapi({ param: { name: "address", in: "path", description: "The account." } }),
    }),
    query: z.object({
      days: lastDays(maxDays),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The days.", accountDays),
    ...problems({
      ...chainProblems,
      503: "The database is unavailable, or nothing is indexed yet.",
    }),
  },
});
