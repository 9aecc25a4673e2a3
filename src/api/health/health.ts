import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { healthRoute } from "./health.routes.ts";
import { ping } from "./ping.query.ts";

const timeoutMs = 2_000;

export function createHealth({ db }: { db: Database }) {
  // However many ask, they take no more than a connection.
  const ask = singleFlight(() => ping(db));

  return createRouter().openapi(healthRoute, async (c) => {
    c.header("Cache-Control", "no-store");
    const isUp = await answersInTime(ask);
    return isUp
      ? c.json({ ok: true, status: "up" as const }, 200)
      : c.json({ ok: false, status: "down" as const }, 503);
  });
}

async function answersInTime(ask: () => Promise<void>): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), timeoutMs);
  const answer = ask().then(
    () => true,
    () => false,
  );
  return await Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer));
}
