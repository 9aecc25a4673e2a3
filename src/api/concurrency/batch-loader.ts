type Batch<Key, Value> = { keys: Set<Key>; answer: PromiseWithResolvers<Map<Key, Value>> };

export type BatchLoaderOptions = {
  /** Keys in a batch. */
  most: number;
  /** Batches at a time: what is asked meanwhile goes into the next, so that the busier it is, the more a batch answers. */
  running: number;
};

/**
 * Batches all keys that are asked for in the same turn of the event loop, or while earlier batches run, into one read, so that
 * many concurrent requests cost little more than one. No caller gets a value that was read before its call.
 *
 * @param read may leave out keys that it does not find
 */
export function createBatchLoader<Key, Value>(
  read: (keys: Key[]) => Promise<Map<Key, Value>>,
  { most, running }: BatchLoaderOptions,
): (keys: Key[]) => Promise<Map<Key, Value>> {
  /** Those that have not begun: the last one still takes keys. */
  const waiting: Batch<Key, Value>[] = [];
  let active = 0;

  function begin(): void {
    while (active < running) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      active++;
      const { resolve, reject } = batch.answer;
      void read([...batch.keys])
        .then(resolve, reject)
        .finally(() => {
          active--;
          begin();
        });
    }
  }

  return (keys) => {
    let batch = waiting.at(-1);
    if (batch === undefined || batch.keys.size + keys.length > most) {
      batch = { keys: new Set(), answer: Promise.withResolvers() };
      waiting.push(batch);
      setImmediate(begin);
    }
    for (const key of keys) batch.keys.add(key);
    return batch.answer.promise;
  };
}
