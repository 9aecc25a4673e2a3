/** A value with the moment (of `performance.now`) at which its reading began. */
type Kept<Value> = { value: Value; at: number };

export type RefreshOptions = {
  /** From this age on a value is read anew, beside the answers. */
  refreshMs: number;
  /** From this age on an answer waits for the reading under way… */
  staleMs: number;
  /** … for so long, and has the value as it was if that was not enough. */
  patienceMs: number;
};

/**
 * Keeps the last result of a slow reading, which runs when somebody asks, never twice at a time and never more often than
 * `refreshMs`. Resolves to undefined where there is no result yet and the patience has run out.
 */
export function refreshed<Value>(
  read: () => Promise<Value>,
  { refreshMs, staleMs, patienceMs }: RefreshOptions,
): () => Promise<Value | undefined> {
  let kept: Kept<Value> | undefined;
  let reading: Promise<Value> | undefined;

  function start(): Promise<Value> {
    const at = performance.now();
    const started = read().then((value) => {
      kept = { value, at };
      return value;
    });
    reading = started.finally(() => {
      reading = undefined;
    });
    reading.catch(leaveToThoseWhoWait);
    return reading;
  }

  return async () => {
    const age = kept === undefined ? Number.POSITIVE_INFINITY : performance.now() - kept.at;
    if (kept !== undefined && age < refreshMs) return kept.value;
    const next = reading ?? start();
    if (kept !== undefined && age < staleMs) return kept.value;
    const timeout = Promise.withResolvers<undefined>();
    const timer = setTimeout(timeout.resolve, patienceMs, undefined);
    try {
      return (await Promise.race([next, timeout.promise])) ?? kept?.value;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Those who wait hear of the error, and nobody may be waiting. */
const leaveToThoseWhoWait = () => {};
