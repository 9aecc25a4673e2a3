import { codeOf, isTransientDatabaseError } from "../../../config/error-code.ts";

/**
 * Creates a function that logs errors of work in the background, unless one only means that the database is unavailable or that
 * nothing has been indexed into it yet.
 *
 * @param part whose work it is
 */
export const reportErrorsOf =
  (part: string) =>
  (error: unknown): void => {
    const hasNoTables = ["42P01", "3F000"].includes(codeOf(error));
    if (!hasNoTables && !isTransientDatabaseError(error)) console.error(`${part}:`, error);
  };
