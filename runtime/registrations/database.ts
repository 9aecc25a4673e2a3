import path from "node:path";
import pg from "pg";
import type { Environment } from "../../config/env.ts";
import { migrate } from "../migrate.ts";
import { findRunningPostgres } from "../postgres/running.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import type { Supervisor } from "../supervisor.ts";

/**
 * Connects to the registrations of `npm start`, whether it runs or not: in DATABASE_URL or the embedded Postgres, which is
 * started where no other process has it. Throws a StartError when there is no getting at them.
 */
export async function openRegistrations(supervisor: Supervisor, settings: Environment): Promise<pg.Pool> {
  const dataDir = path.resolve(settings.dataDir, "postgres");
  const url =
    settings.databaseUrl ??
    (await findRunningPostgres(dataDir)) ??
    (await supervisor.adopt("Postgres", (context) => startPostgres({ dataDir, ...context }))).url;
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: "registrations" });
  pool.on("error", () => {});
  return pool;
}
