/** A value and when its read started, by `performance.now`. */
type Cached<Value> = { value: Value; at: number };

export type RevalidateOptions = {
  /** A value of this age is read again in the background. */
  refreshMs: number;
  /** A value of this age is stale: callers wait for the new one… */
  staleMs: number;
  /** … but only this long. Then they get the stale one. */
  maxWaitMs: number;
};

/**
 * Caches the last result of a slow read. The read runs only on demand, never twice at a time and never more often than
 * `refreshMs`. Resolves to undefined if there is no result at all within `maxWaitMs`.
 */
export function staleWhileRevalidate<Value>(
  read: () => Promise<Value>,
  { refreshMs, staleMs, maxWaitMs }: RevalidateOptions,
): () => Promise<Value | undefined> {
  let cached: Cached<Value> | undefined;
  let reading: Promise<Value> | undefined;

  function start(): Promise<Value> {
    const at = performance.now();
    const started = read().then((value) => {
      cached = { value, at };
      return value;
    });
    reading = started.finally(() => {
      reading = undefined;
    });
    reading.catch(leaveToCallers);
    return reading;
  }

  return async () => {
    const age = cached === undefined ? Number.POSITIVE_INFINITY : performance.now() - cached.at;
    if (cached !== undefined && age < refreshMs) return cached.value;
    const next = reading ?? start();
    if (cached !== undefined && age < staleMs) return cached.value;
    const timeout = Promise.withResolvers<undefined>();
    const timer = setTimeout(timeout.resolve, maxWaitMs, undefined);
    try {
      return (await Promise.race([next, timeout.promise])) ?? cached?.value;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Callers that wait get the error themselves, but there may be none: then it would be an unhandled rejection. */
const leaveToCallers = () => {};
