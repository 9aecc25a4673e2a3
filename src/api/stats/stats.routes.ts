import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { stats } from "./stats.schema.ts";

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
      400: "A parameter is wrong.",
      404: "The chain is not indexed here.",
      503: "The database is unavailable, or nothing is indexed yet.",
    }),
  },
});
