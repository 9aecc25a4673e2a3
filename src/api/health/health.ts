import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import type { IndexReport } from "../freshness/index-report.schema.ts";
import { createRouter } from "../http/router.ts";
import { healthRoute } from "./health.routes.ts";
import { ping } from "./ping.query.ts";

const timeoutMs = 2_000;

export type HealthDeps = {
  db: Database;
  watch: {
    refresh: () => Promise<unknown>;
    report: () => IndexReport;
  };
};

export function createHealth({ db, watch }: HealthDeps) {
  // However many ask, they take no more than a connection.
  const ask = singleFlight(async () => {
    // Whether the database answers does not depend on what is in it: without a new report, the last one is good enough.
    await Promise.all([ping(db), watch.refresh().catch(keepLastReport)]);
  });

  return createRouter().openapi(healthRoute, async (c) => {
    c.header("Cache-Control", "no-store");
    const isUp = await answersInTime(ask);
    return isUp
      ? c.json({ ok: true, status: "up" as const, index: watch.report() }, 200)
      : c.json({ ok: false, status: "down" as const }, 503);
  });
}

const keepLastReport = () => {};

async function answersInTime(ask: () => Promise<void>): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), timeoutMs);
  const answer = ask().then(
    () => true,
    () => false,
  );
  return await Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer));
}
