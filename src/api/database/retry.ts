import type pg from "pg";
import { codeOf, isTransientDatabaseError } from "../../../config/error-code.ts";

/** Called when a read starts. The function it returns is called if the read fails, and resolves to whether to try again. */
export type RetryPolicy = () => (error: unknown) => Promise<boolean>;

const policies = new WeakMap<pg.Pool, RetryPolicy>();

/** Makes reads on this pool follow the policy, in addition to the retries of {@link retryRead}. */
export function setRetryPolicy(pool: pg.Pool, policy: RetryPolicy): void {
  policies.set(pool, policy);
}

const maxAttempts = 5;

/** To revert blocks, Ponder locks its tables one by one, while a reader of several tables may hold one and wait for another. */
const deadlock = "40P01";
/** On a replica also if a read conflicted with replay. */
const serializationFailure = "40001";

/** Tries again if Postgres ended the statement to resolve a deadlock. */
export async function retryOnDeadlock<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return await retry(ask, () => (error) => codeOf(error) === deadlock);
}

/** Tries again if Postgres ended the read to resolve a conflict, or if the pool's policy says so. */
export async function retryRead<Answer>(
  pool: pg.Pool | undefined,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  return await retry(ask, () => {
    const shouldRetry = pool && policies.get(pool)?.();
    return async (error) =>
      [deadlock, serializationFailure].includes(codeOf(error)) || ((await shouldRetry?.(error)) ?? false);
  });
}

async function retry<Answer>(
  ask: () => Promise<Answer>,
  startAttempt: () => (error: unknown) => boolean | Promise<boolean>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const shouldRetry = startAttempt();
    try {
      return await ask();
    } catch (error) {
      if (attempt === maxAttempts || !(await shouldRetry(error))) throw error;
    }
  }
}

/** Whether Postgres ended a statement that took too long: the database is available, but the statement was too expensive. */
export function isStatementTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codeOf(error) === "57014" || isStatementTimeout(error.cause);
}

/** Whether it was the connection that failed, so that another connection to the same server may work. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== "") return /^(08|57P0|25P03$|ECONNRESET$|EPIPE$)/.test(code);
  return /^(Connection terminated(?! due to connection timeout)|Client has encountered)/.test(error.message);
}

/** Milliseconds after a line in which failures of the same work are not logged. */
const quietMs = 60_000;

/**
 * Creates a function that logs errors of work in the background. It says nothing if the database is away, or nothing has been indexed
 * into it yet, and a line a minute at most if the database can't do the work now, such as for want of space or of time: if that lasts,
 * nothing else would tell.
 *
 * @param part whose work it is
 */
export function reportErrorsOf(part: string): (error: unknown) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (error) => {
    const code = codeOf(error);
    const hasNoTables = ["42P01", "3F000"].includes(code);
    if (hasNoTables) return;
    if (!(error instanceof Error) || !isTransientDatabaseError(error))
      return console.error(`${part}:`, error);
    const isUnable = /^(53(?!300)|57014|58|25006)/.test(code);
    if (!isUnable || performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietMs;
    console.warn(`${part}: Postgres can't do it now (${error.message}): trying again`);
  };
}
