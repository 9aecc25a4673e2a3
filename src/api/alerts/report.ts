import { isTransientDatabaseError } from "../database/retry.ts";

/** Logs an error, unless it only means that the database is unavailable or that nothing has been indexed into it yet. */
export function report(error: unknown): void {
  const { code } = error as { code?: unknown };
  const hasNoTables = code === "42P01" || code === "3F000";
  if (!hasNoTables && !isTransientDatabaseError(error)) console.error("alerts:", error);
}
