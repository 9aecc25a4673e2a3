/**
 * Makes a second attempt once the first is late, and returns whichever result comes first. If the first attempt fails before
 * it is late, that failure is thrown and there is no second.
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
    // No second attempt is made.
    late.reject(error);
    throw error;
  });
  rescue.catch(reportedByTheFirst);
  try {
    return await Promise.any([begun, rescue]);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

/** If the second attempt fails, or is never made, the first one's failure is what is thrown. */
const reportedByTheFirst = () => {};
