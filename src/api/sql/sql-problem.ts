import pg from "pg";
import { isTransientDatabaseError } from "../../../config/error-code.ts";
import { ProblemException } from "../http/problem.ts";
import { sqlLimits } from "./limits.ts";

/** Postgres's messages repeat values, of any size. */
const maxDetail = 1_000;

/** The problem for a statement that can't be run as it is. `position` counts its characters from 1. */
export function invalidSql(
  detail: string,
  more: { position?: number | undefined; sqlState?: string | undefined } = {},
): ProblemException {
  const short = detail.length > maxDetail ? `${detail.slice(0, maxDetail)}…` : detail;
  return new ProblemException({
    status: 400,
    code: "invalid_sql",
    title: "Invalid SQL",
    detail: short,
    ...more,
  });
}

const answerTooLarge = (detail: string) =>
  new ProblemException({ status: 400, code: "answer_too_large", detail });

const inEnglish = (count: number) => count.toLocaleString("en");

export const tooLarge = (bytes: number) =>
  answerTooLarge(`The rows have more than ${inEnglish(bytes)} bytes: ask for fewer rows or columns.`);

export const valueTooLong = () =>
  answerTooLarge(
    `A value has more than ${inEnglish(sqlLimits.valueCharacters)} characters: ask for parts of it, as with left or a shorter list.`,
  );

export const tooManyListValues = () =>
  answerTooLarge(
    `The lists have more than ${inEnglish(sqlLimits.listValues)} values in all: ask for fewer, or for rows in place of lists.`,
  );

export function timedOut(seconds: number = sqlLimits.seconds): ProblemException {
  return new ProblemException({
    status: 504,
    code: "query_timeout",
    detail: `The statement took longer than ${seconds} s and was cancelled: make it read less, by indexed columns.`,
  });
}

export function sqlUnavailable(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "sql_unavailable",
    title: "SQL unavailable",
    detail: "This service has no database role for clients' statements: its log says what is missing.",
    retryAfter: 3_600,
  });
}

export function sqlStopped(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "sql_unavailable",
    title: "SQL unavailable",
    detail: "A statement runs for longer than it may and can't be stopped: SQL waits until it has ended.",
    retryAfter: 60,
  });
}

/** The answer of routes that earlier versions had for @ponder/client. */
export function removedRoute(): ProblemException {
  return new ProblemException({
    status: 410,
    code: "route_gone",
    title: "Gone",
    detail:
      "The routes for @ponder/client are gone: send queries to POST /sql, and follow what happens with GET /api/stream or GET /api/events.",
  });
}

const tooMuchMemory = (sqlState: string) =>
  invalidSql("The statement needs more memory or disk than it may use: make it read, sort or join less.", {
    sqlState,
  });

/** SQL states for running out of memory, or of the role's space for temporary files. */
const outOfResources = new Set(["53200", "53400", "53100"]);

/**
 * Elsewhere these SQL states are signs of a standby and of a broken connection. Here the statement causes them: it
 * writes, has other parameters than it is given, or is too complex.
 */
const statementErrors = new Set(["25006", "08P01"]);

/**
 * Maps Postgres's error to a problem, or returns it unchanged if the statement didn't cause it.
 *
 * @param prefixLength the number of characters before the client's statement
 */
export function toSqlProblem(error: unknown, prefixLength: number, seconds: number): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { code = "", message, position, hint } = error;
  if (code === "57014" || code === "55P03") return timedOut(seconds);
  if (outOfResources.has(code)) return tooMuchMemory(code);
  // Only from its beginning: in a long message, other places to begin would take time by the square of its length.
  const [, given, wanted] =
    /^bind message supplies (\d+) parameters, but .* requires (\d+)$/.exec(message) ?? [];
  if (wanted !== undefined) {
    return invalidSql(
      `params has ${given} values, and the statement wants ${wanted}: give one for each of $1 and so on.`,
      {
        sqlState: code,
      },
    );
  }
  const isTransient = !/^[0-9A-Z]{5}$/.test(code) || isTransientDatabaseError(error);
  if (isTransient && !statementErrors.has(code)) return error;
  const at = position === undefined ? undefined : Math.max(1, Number(position) - prefixLength);
  return invalidSql([message, hint].filter(Boolean).join(". "), { position: at, sqlState: code });
}
