type Batch<Key, Value> = { keys: Set<Key>; answer: PromiseWithResolvers<Map<Key, Value>> };

export type BatchLoaderOptions = {
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
