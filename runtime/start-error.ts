import { codeOf, reasonOf } from "../config/error-code.ts";
import { SettingsFileError } from "../config/process-environment.ts";

export type StartErrorCode =
  | "disk-full"
  | "failed"
  | "in-use"
  | "not-reachable"
  | "not-writable"
  | "port-taken"
  | "unsupported"
  | "wrong-version";

/** An expected reason for a failed start. The message is one line that says what is wrong and what to do about it. */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(
    message: string,
    { code = "failed", ...options }: ErrorOptions & { code?: StartErrorCode } = {},
  ) {
    super(message.replaceAll(/\s*\n\s*/g, " ").trim(), options);
    this.name = "StartError";
    this.code = code;
  }
}

const DISK_FULL =
  /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|Check free disk space|wrote only \d+ of \d+ bytes/;

/** Whether a system error or a program's error output says that the disk, or a quota on it, is full. */
export function isDiskFull(reason: unknown): boolean {
  return DISK_FULL.test(reason instanceof Error ? `${codeOf(reason)} ${reason.message}` : String(reason));
}

const inDataDir = "set DATA_DIR to a folder";

export function diskFullError(path: string, cause?: unknown, elsewhere = inDataDir): StartError {
  return new StartError(`no space left on the disk of ${path}: free some, or ${elsewhere} on another disk`, {
    code: "disk-full",
    cause,
  });
}

/**
 * Turns a failed file operation on `path` into a StartError. A StartError is returned unchanged.
 *
 * @param elsewhere what leads to another place, such as "name a file"
 */
export function fileError(error: unknown, path: string, elsewhere = inDataDir): StartError {
  if (error instanceof StartError) return error;
  if (isDiskFull(error)) return diskFullError(path, error, elsewhere);
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS" || message.endsWith("Permission denied")) {
    const reason = code === "EROFS" ? "the file system is read-only" : "permission denied";
    return new StartError(`cannot write to ${path} (${reason}): make it writable, or ${elsewhere} that is`, {
      code: "not-writable",
      cause: error,
    });
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new StartError(
      `${path} is a file, or has one in its path, where a folder is needed: move it, or ${elsewhere} elsewhere`,
      { code: "not-writable", cause: error },
    );
  }
  return new StartError(`cannot use ${path}: ${message}`, { cause: error });
}

/** How Postgres and its driver say that a connection has ended because the server stopped, crashed or restarts. */
const LOST_DATABASE =
  /^(Connection terminated|Client has encountered a connection error|terminating connection|the database system is |((connect|read|write) )?E(CONN|HOST|NET|TIMEDOUT)|connect ENOENT|getaddrinfo E|Query read timeout$|timeout expired$|timeout exceeded when trying to connect$)/;

/** The SQLSTATEs of the same, since Postgres may say it in another language. */
const LOST_DATABASE_CODES = /^(08...|57P0[123])$/;

/** Whether an error, or what a StartError was made from, says that the database is away. */
export function isLostDatabase(error: unknown): boolean {
  const reason = error instanceof StartError ? error.cause : error;
  return LOST_DATABASE_CODES.test(codeOf(reason)) || LOST_DATABASE.test(reasonOf(reason));
}

/** Whether an error comes from a file, not from the database or the connection to it. */
export function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && !isLostDatabase(error);
}

/** What is wrong with a database that can be reached, and what to do, by SQLSTATE. */
const DATABASE_ADVICE: Record<string, [problem: string, advice: string]> = {
  "25006": [
    "the database is read-only",
    "DATABASE_URL must lead to the primary, and default_transaction_read_only be off for this database and role",
  ],
  "53100": ["the disk of Postgres is full", "free some space there"],
  "53300": [
    "Postgres has no connection left",
    "raise max_connections or the role's limit, or run fewer processes",
  ],
  "55P03": [
    "another session keeps a lock in Postgres",
    "end it (select pid, state, query from pg_stat_activity where state <> 'idle'), and try again",
  ],
  "57014": [
    "Postgres has ended what took it long, or somebody has",
    "set statement_timeout = 0 for the role and the database, and try again",
  ],
};

/** One line for an error of Postgres that says what to do; undefined for one that needs a closer look. */
export function adviceOnDatabase(error: unknown): string | undefined {
  const [problem, advice] = DATABASE_ADVICE[codeOf(error)] ?? [];
  return problem === undefined ? undefined : `${problem} (${reasonOf(error)}): ${advice}`;
}

/** What to print about an error that ends the start: one line if it is an expected one. */
export function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartError || error instanceof SettingsFileError) return error.message;
  const advice = adviceOnDatabase(error);
  if (advice !== undefined) return advice;
  return isLostDatabase(error)
    ? `the database doesn't answer any more (${reasonOf(error)}): start again once Postgres runs`
    : (error.stack ?? error.message);
}
