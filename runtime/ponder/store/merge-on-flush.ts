let flush = Promise.withResolvers<void>();

/** Signals that the store is starting to write what the last events changed. */
export function signalFlush(): void {
  flush.resolve();
  flush = Promise.withResolvers();
}

/**
 * Merges generators, yielding results as they arrive. A generator's next events are only read and decoded once Postgres is writing
 * what its last ones changed: earlier, they would compete with those for time and memory.
 */
export async function* mergeOnFlush<T>(generators: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = new Map(generators.map((generator) => [generator, nextResult(generator)]));
  while (next.size > 0) {
    const { generator, result } = await Promise.race(next.values());
    if (result.done) {
      next.delete(generator);
      continue;
    }
    // Moves the generator to the end of the line.
    next.delete(generator);
    const coming = flush.promise.then(() => nextResult(generator));
    coming.catch(awaitedLater);
    next.set(generator, coming);
    yield result.value;
  }
}

/** A result may fail before anybody awaits it; whoever does gets the error. */
const awaitedLater = () => {};

async function nextResult<T>(generator: AsyncGenerator<T>) {
  return { generator, result: await generator.next() };
}
