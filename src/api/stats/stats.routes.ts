import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, lastDays, minBlock } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { days, stats } from "./stats.schema.ts";

export const maxDays = 31;

export const daysRoute = createRoute({
  method: "get",
  path: "/api/stats/days",
  operationId: "getDailyStats",
  tags: ["Market"],
  summary: "The launchpad's daily volume, trades, and tokens created and graduated, for charts.",
  description:
    "Days begin at midnight UTC; the last one is that of the last indexed block. Read at most every 10 seconds, on demand: `asOf` has the block.",
  middleware: withEtag(),
  request: {
    query: z.object({
      days: lastDays(maxDays),
      chainId,
    }),
  },
  responses: {
    ...jsonAnswers("The days.", days),
    ...problems({
      ...chainProblems,
      503: "The database is unavailable, or nothing is indexed yet.",
    }),
  },
});

export const statsRoute = createRoute({
  method: "get",
  path: "/api/stats",
  operationId: "getStats",
  tags: ["Market"],
  summary: "The launchpad's totals: tokens, trades and volume, to date and by time window.",
  description: "As of the last indexed block of the chain, at which the windows end.",
  middleware: withEtag(),
  request: { query: z.object({ chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The totals.", stats),
    ...problems({
      ...chainProblems,
      503: "The database is unavailable, or nothing is indexed yet.",
    }),
  },
});
