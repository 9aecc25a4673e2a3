import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import type { IndexReport } from "../freshness/index-report.schema.ts";
import { createRouter } from "../http/router.ts";
import { healthRoute } from "./health.routes.ts";
import { ping } from "./ping.query.ts";

/** Milliseconds for which the database may keep silent, in steps. */
const timeout = { stepMs: 100, steps: 20 };

export type HealthDeps = {
  db: Database;
  watch: {
    refresh: () => Promise<unknown>;
    report: () => IndexReport;
  };
};

export function createHealth({ db, watch }: HealthDeps) {
  // However many ask, they take no more than a connection.
  const ask = singleFlight(() => ping(db));

  return createRouter().openapi(healthRoute, async (c) => {
    c.header("Cache-Control", "no-store");
    // Whether the database answers does not depend on what is in it: without a new report, the last one is good enough.
    const refreshed = answersInTime(watch.refresh);
    if (!(await answersInTime(ask))) return c.json({ ok: false, status: "down" as const }, 503);
    await refreshed;
    return c.json({ ok: true, status: "up" as const, index: watch.report() }, 200);
  });
}

/** Whether `ask` resolves in time. It counts steps: time in which this process is too busy to read an answer is not held against it. */
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
