import { existsSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Environment } from "../config/env.ts";
import { migrate } from "../runtime/migrate.ts";
import { findRunningPostgres } from "../runtime/postgres/running.ts";
import { startPostgres } from "../runtime/postgres/start-postgres.ts";
import type { Supervisor } from "../runtime/process/supervisor.ts";
import { StartError } from "../runtime/start-error.ts";

/**
 * Connects to the database of `npm start`: DATABASE_URL, or the embedded Postgres, which is started if it isn't running. Throws
 * a StartError if the database can't be reached, or if it doesn't exist and must not be created (`mayBeNew`).
 */
export async function openDatabase(
  supervisor: Supervisor,
  settings: Environment,
  { mayBeNew = false }: { mayBeNew?: boolean } = {},
): Promise<pg.Pool> {
  const dataDir = path.resolve(settings.dataDir, "postgres");
  if (settings.databaseUrl === undefined && !mayBeNew && !existsSync(path.join(dataDir, "cluster"))) {
    throw new StartError(
      "failed",
      `there is no database in ${dataDir}: set DATABASE_URL (npm start and npm run dev print theirs), or DATA_DIR to the folder that npm start uses`,
    );
  }
  const url =
    settings.databaseUrl ??
    (await findRunningPostgres(dataDir))?.url ??
    (await supervisor.adopt("Postgres", (context) => startPostgres({ dataDir, ...context }))).url;
  await migrate(url, { log: console.error, signal: supervisor.signal });
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: "launchpad_tools" });
  // The queries report a lost connection; without a listener it would also end the process.
  const reportedByQuery = () => {};
  pool.on("error", reportedByQuery);
  return pool;
}
