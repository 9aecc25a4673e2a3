import { singleFlight } from "../concurrency/single-flight.ts";
import { type Database, ping } from "../database/database.ts";
import type { IndexReport } from "../freshness/index-report.schema.ts";
import { createRouter } from "../http/router.ts";
import { healthRoute } from "./health.routes.ts";

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
