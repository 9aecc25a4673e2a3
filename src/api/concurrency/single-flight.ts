/**
 * Shares one read among all callers that ask before it starts. No caller gets a result that is older than its call. At most one
 * read runs, and one waits, at any time.
 */
export function singleFlight<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<Answer> | undefined;
  let next: Promise<Answer> | undefined;

  function start(): Promise<Answer> {
    const reading = read().finally(() => {
      if (running === reading) running = undefined;
    });
    running = reading;
    return reading;
  }

  return () => {
    // Between two reads, the waiting one has not started, so it is fresh enough.
    if (running === undefined) return next ?? start();
    // The running read may have seen the data before this call.
    next ??= running.catch(leaveToItsCallers).then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}

/** A failed read rejects for its own callers. The next one starts all the same. */
const leaveToItsCallers = () => {};

/** Shares one run of some work among all callers that ask for it, by its key, while it runs. */
export async function coalesce<Key, Result>(
  running: Map<Key, Promise<Result>>,
  key: Key,
  work: () => Promise<Result>,
): Promise<Result> {
  const shared = running.get(key) ?? work().finally(() => running.delete(key));
  running.set(key, shared);
  return await shared;
}
