import { createRoute, z } from "@hono/zod-openapi";
import { indexReport } from "../freshness/index-report.schema.ts";
import { problems } from "../http/problem.schema.ts";

const answer = (description: string) => ({
  description,
  content: {
    "application/json": {
      schema: z
        .object({
          ok: z.boolean(),
          status: z.enum(["up", "down"]),
          stale: z.boolean().optional().openapi({
            description:
              "Whether the index is more than READY_MAX_LAG_SECONDS (60 if that is 0) behind a chain's head, so that answers are old: `index` says how old. Absent if down.",
          }),
          index: indexReport.optional().openapi({ description: "How fresh the index is. Absent if down." }),
        })
        .openapi("Health"),
    },
  },
});

export const healthRoute = createRoute({
  method: "get",
  path: "/api/health",
  operationId: "getHealth",
  tags: ["Service"],
  summary: "Whether the service and its database are up, and how far the index is behind the chains.",
  description: "Never queued and not subject to limits, so a load balancer can call it as often as it likes.",
  responses: {
    ...problems({
      429: "One connection has too many requests pending: try again after Retry-After seconds.",
    }),
    200: answer("The service is up."),
    503: answer("The database did not answer within 2 seconds."),
  },
});
