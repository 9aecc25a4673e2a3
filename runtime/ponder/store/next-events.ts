let flush = Promise.withResolvers<void>();

/** Says that the store begins to write what the last events changed. */
export function flushBegins(): void {
  flush.resolve();
  flush = Promise.withResolvers();
}

/**
 * What each of the generators yields, as it comes. The next events of one are read and decoded while Postgres takes in what the last
 * ones changed: before that they would only take time from those, and memory.
 */
export async function* inTurns<T>(generators: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = new Map(generators.map((generator) => [generator, resultOf(generator)]));
  while (next.size > 0) {
    const { generator, result } = await Promise.race(next.values());
    if (result.done) {
      next.delete(generator);
      continue;
    }
    // The last in line from now on.
    next.delete(generator);
    const coming = flush.promise.then(() => resultOf(generator));
    coming.catch(leaveToWhoAsks);
    next.set(generator, coming);
    yield result.value;
  }
}

/** Nobody may have asked for what comes next when it fails. */
const leaveToWhoAsks = () => {};

async function resultOf<T>(generator: AsyncGenerator<T>) {
  return { generator, result: await generator.next() };
}
