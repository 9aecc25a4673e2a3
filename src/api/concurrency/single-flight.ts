import { ignore, within } from "../../../config/async.ts";

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
    // A failed read rejects for its own callers. The next one starts all the same.
    next ??= running.catch(ignore).then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}

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

/** A value and when its read started, by `performance.now`. */
type Cached<Value> = { value: Value; at: number };

type RevalidateOptions = {
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
    // Callers that wait get the error themselves, but there may be none: then it would be an unhandled rejection.
    reading.catch(ignore);
    return reading;
  }

  return async () => {
    const age = cached === undefined ? Number.POSITIVE_INFINITY : performance.now() - cached.at;
    if (cached !== undefined && age < refreshMs) return cached.value;
    const next = reading ?? start();
    if (cached !== undefined && age < staleMs) return cached.value;
    return (await within(maxWaitMs, next)) ?? cached?.value;
  };
}

type Batch<Key, Value> = { keys: Set<Key>; answer: PromiseWithResolvers<Map<Key, Value>> };

type BatchLoaderOptions = {
  /** The most keys in a batch. A call with more of them makes a larger batch of its own. */
  maxKeys: number;
  /** Batches read at a time. Calls made meanwhile share the next one, so batches grow with the load. */
  concurrency: number;
};

/**
 * Combines all keys requested in the same turn of the event loop, or while earlier batches run, into one read, so that many
 * concurrent requests cost little more than one. No caller gets a value that was read before its call.
 *
 * @param read may omit keys that it doesn't find
 */
export function createBatchLoader<Key, Value>(
  read: (keys: Key[]) => Promise<Map<Key, Value>>,
  { maxKeys, concurrency }: BatchLoaderOptions,
): (keys: Key[]) => Promise<Map<Key, Value>> {
  /** Batches that have not started. The last one still takes keys. */
  const waiting: Batch<Key, Value>[] = [];
  let active = 0;

  function startBatches(): void {
    while (active < concurrency) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      active++;
      const { resolve, reject } = batch.answer;
      void read([...batch.keys])
        .then(resolve, reject)
        .finally(() => {
          active--;
          startBatches();
        });
    }
  }

  return (keys) => {
    let batch = waiting.at(-1);
    if (batch === undefined || batch.keys.size + keys.length > maxKeys) {
      batch = { keys: new Set(), answer: Promise.withResolvers() };
      waiting.push(batch);
      setImmediate(startBatches);
    }
    for (const key of keys) batch.keys.add(key);
    return batch.answer.promise;
  };
}
