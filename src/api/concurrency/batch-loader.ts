/**
 * Batches all keys that are asked for in the same turn of the event loop into one read, so that many concurrent requests
 * cost little more than one. No caller gets a value that was read before its call.
 *
 * @param read may leave out keys that it does not find
 * @param most the number of keys in a batch
 */
export function createBatchLoader<Key, Value>(
  read: (keys: Key[]) => Promise<Map<Key, Value>>,
  most: number,
): (keys: Key[]) => Promise<Map<Key, Value>> {
  let wanted: Set<Key> | undefined;
  let reading: Promise<Map<Key, Value>> | undefined;

  function start(keys: Set<Key>): Promise<Map<Key, Value>> {
    const { promise, resolve } = Promise.withResolvers<Map<Key, Value>>();
    setImmediate(() => {
      if (wanted === keys) wanted = undefined;
      resolve(read([...keys]));
    });
    return promise;
  }

  return (keys) => {
    if (wanted === undefined || reading === undefined || wanted.size + keys.length > most) {
      wanted = new Set();
      reading = start(wanted);
    }
    for (const key of keys) wanted.add(key);
    return reading;
  };
}
