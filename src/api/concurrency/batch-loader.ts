/**
 * Gathers all that is asked within a turn of the event loop into one reading, so that many requests at a time cost
 * little more than one. Nobody gets what was read before they asked.
 *
 * @param read what it reads may leave out keys of which there is nothing
 * @param most the number of keys to read at a time
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
