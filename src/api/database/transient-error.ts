/** Codes of Node for a server that can't be reached. */
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "EPIPE",
  "ENOENT",
]);

/**
 * SQLSTATE classes of a server that can't work for now: connection exception, transaction rollback (a deadlock among
 * them), insufficient resources (a full disk among them), operator intervention (shutdown, a statement that took too
 * long), system error.
 */
const sqlClasses = new Set(["08", "40", "53", "57", "58"]);

/** Whether a query failed since the database can't be reached or can't work, so that it may succeed later. */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") {
    if (networkCodes.has(code)) return true;
    // SQLSTATEs have five characters.
    if (code.length === 5 && sqlClasses.has(code.slice(0, 2))) return true;
    // The driver's replica of read-only transactions: a standby in the place of the server.
    if (code === "25006") return true;
  }
  // node-postgres has no codes for these.
  if (
    /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered)/.test(
      error.message,
    )
  ) {
    return true;
  }
  return isTransientDatabaseError(error.cause);
}

/** Whether Postgres ended a statement that took longer than it may: the database is there, and the question was too much. */
export function isStatementTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === "57014" || isStatementTimeout(error.cause);
}

/** Whether it was the connection that failed, so that another one to the same server may do. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return /^(08|57P0|ECONNRESET$|EPIPE$)/.test(code);
  return /^(Connection terminated(?! due to connection timeout)|Client has encountered)/.test(error.message);
}
