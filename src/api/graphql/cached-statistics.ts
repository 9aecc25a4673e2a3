import type { TableStatistics } from "./table-statistics.query.ts";

const freshMs = 10_000;

/** Caches what `read` returns, and refreshes it in the background once it is older than ten seconds. */
export function cacheStatistics(read: () => Promise<TableStatistics>): () => Promise<TableStatistics> {
  let cached: TableStatistics | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<TableStatistics> | undefined;

  function refresh(): Promise<TableStatistics> {
    reading ??= read()
      .then((statistics) => {
        readAt = performance.now();
        cached = statistics;
        return statistics;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  return async () => {
    if (cached === undefined) return await refresh();
    if (performance.now() - readAt > freshMs) refresh().catch(keepOldStatistics);
    return cached;
  };
}

/** Old statistics will do while the database is unavailable. */
const keepOldStatistics = () => {};
