import { createRoute, z } from "@hono/zod-openapi";
import { singleFlight } from "../concurrency/single-flight.ts";
import { type Database, ping } from "../database/database.ts";
import { type IndexReport, indexReport } from "../freshness/index-report.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";

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

/** How long the database may take to answer, in steps. */
const timeout = { stepMs: 100, steps: 20 };

export type HealthDeps = {
  db: Database;
  watch: {
    refresh: () => Promise<unknown>;
    report: () => IndexReport;
  };
  /** Whether the index is so far behind that its answers count as old. */
  isStale: (report: IndexReport) => boolean;
};

export function createHealth({ db, watch, isStale }: HealthDeps) {
  // However many clients ask, they use a single connection.
  const ask = singleFlight(() => ping(db));

  return createRouter().openapi(healthRoute, async (c) => {
    c.header("Cache-Control", "no-store");
    // Health only depends on whether the database answers: if there is no new report in time, the last one will do.
    const refreshed = answersInTime(watch.refresh);
    if (!(await answersInTime(ask))) return c.json({ ok: false, status: "down" as const }, 503);
    await refreshed;
    const index = watch.report();
    return c.json({ ok: true, status: "up" as const, stale: isStale(index), index }, 200);
  });
}

/** Whether `ask` resolves in time. Counts steps, so that time during which this process is too busy to read the answer doesn't count. */
async function answersInTime(ask: () => Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    if (steps === timeout.steps) resolve(false);
  }, timeout.stepMs);
  ask().then(
    () => resolve(true),
    () => resolve(false),
  );
  return await promise.finally(() => clearInterval(timer));
}
