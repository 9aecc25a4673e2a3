import type { Environment } from "../../../config/env.ts";
import { createRunner } from "./run-statement.ts";

const running = globalThis as { LAUNCHPAD_SQL?: () => Promise<void> };

export type SqlService = Pick<ReturnType<typeof createRunner>, "run" | "readMetrics">;

/**
 * Starts the service that runs clients' SQL, as configured; returns undefined if no role is set up for it. In development,
 * Ponder reloads the API in the same process: then this ends the earlier service.
 */
export function startSql({ isSqlOn, databaseSqlUrl, databaseSchema }: Environment): SqlService | undefined {
  void running.LAUNCHPAD_SQL?.();
  if (isSqlOn !== true || databaseSqlUrl === undefined) return undefined;
  const { run, readMetrics, end } = createRunner({ url: databaseSqlUrl, schema: databaseSchema });
  running.LAUNCHPAD_SQL = end;
  return { run, readMetrics };
}
