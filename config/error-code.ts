/** The code of a system error, such as "ENOENT", or of one of Postgres, such as "42P01". Empty if it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return String(error.code ?? "");
}

/** What an error says, or its code: a connection that several addresses refused has an error without a message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}

/** Node's error codes for a server that can't be reached. */
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
 * SQLSTATE classes of a server that temporarily can't work: connection exception, transaction rollback (including deadlocks),
 * insufficient resources (including a full disk), operator intervention (shutdown, statement timeout) and system error.
 */
const sqlClasses = new Set(["08", "40", "53", "57", "58"]);

/** Whether a query failed because the database is unreachable or temporarily can't work, so that it may succeed later. */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (networkCodes.has(code)) return true;
  // SQLSTATEs have five characters.
  if (code.length === 5 && sqlClasses.has(code.slice(0, 2))) return true;
  // A write in a read-only transaction: a standby answers in the primary's place. A transaction in which this process froze for too long.
  if (code === "25006" || code === "25P03") return true;
  // node-postgres reports these without a code.
  if (
    /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered)/.test(
      error.message,
    )
  ) {
    return true;
  }
  return isTransientDatabaseError(error.cause);
}
