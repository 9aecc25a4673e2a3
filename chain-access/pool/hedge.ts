/**
 * The answer of the first of two attempts, of which the second is made once the first is late. A fault of the first before
 * it is late is the outcome.
 */
export async function hedge<T>(
  lateMs: number,
  outer: AbortSignal | undefined,
  first: (signal: AbortSignal) => Promise<T>,
  second: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, ...(outer === undefined ? [] : [outer])]);
  const late = Promise.withResolvers<void>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.resolve();
  }, lateMs);
  const rescue = late.promise.then(() => second(signal));
  const begun = first(signal).catch(async (error: unknown) => {
    if (isLate) return await rescue;
    // There won't be a second.
    late.reject(error);
    throw error;
  });
  rescue.catch(leaveToTheFirst);
  try {
    return await Promise.any([begun, rescue]);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

/** Whether the second was of use shows in the first's outcome. */
const leaveToTheFirst = () => {};
