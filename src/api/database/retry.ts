import type pg from "pg";

/** Called when a read begins; what it returns, when that has failed, and resolves to whether it is worth another try. */
export type Retry = () => (error: unknown) => Promise<boolean>;

const retries = new WeakMap<pg.Pool, Retry>();

/** Has reads on this pool tried again where `retry` says so. */
export function retryBy(pool: pg.Pool, retry: Retry): void {
  retries.set(pool, retry);
}

const mostAttempts = 5;

/** To take back blocks, Ponder locks its tables one after the other, and who reads several of them may hold one and wait for another. */
const deadlock = "40P01";
/** On a replica, also: a read stood in the way of what was to be replayed. */
const conflict = "40001";

/** Asks again when Postgres has ended the question to resolve a deadlock. */
export async function retryOnDeadlock<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return await retry(ask, () => (error) => codeOf(error) === deadlock);
}

/** Asks again when Postgres has ended the read to resolve a conflict, or the pool has reads tried again. */
export async function retryRead<Answer>(
  pool: pg.Pool | undefined,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  return await retry(ask, () => {
    const isWorthIt = pool && retries.get(pool)?.();
    return async (error) =>
      [deadlock, conflict].includes(codeOf(error)) || ((await isWorthIt?.(error)) ?? false);
  });
}

async function retry<Answer>(
  ask: () => Promise<Answer>,
  begin: () => (error: unknown) => boolean | Promise<boolean>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const isWorthIt = begin();
    try {
      return await ask();
    } catch (error) {
      if (attempt === mostAttempts || !(await isWorthIt(error))) throw error;
    }
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code);
