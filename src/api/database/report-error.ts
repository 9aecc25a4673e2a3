import { isTransientDatabaseError } from "./retry.ts";

/**
 * Creates a function that logs errors of work in the background, unless one only means that the database is unavailable or that
 * nothing has been indexed into it yet.
 *
 * @param part whose work it is
 */
export const reportErrorsOf =
  (part: string) =>
  (error: unknown): void => {
    const { code } = error as { code?: unknown };
    const hasNoTables = code === "42P01" || code === "3F000";
    if (!hasNoTables && !isTransientDatabaseError(error)) console.error(`${part}:`, error);
  };
