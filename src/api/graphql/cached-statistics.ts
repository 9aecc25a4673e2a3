import { ignore, shareRun } from "../../../config/async.ts";
import type { TableStatistics } from "./table-statistics.query.ts";

const freshMs = 10_000;

/** Caches what `read` returns, and refreshes it in the background once it is older than ten seconds. */
export function cacheStatistics(read: () => Promise<TableStatistics>): () => Promise<TableStatistics> {
  let cached: TableStatistics | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = shareRun(async () => {
    cached = await read();
    readAt = performance.now();
    return cached;
  });

  return async () => {
    if (cached === undefined) return await refresh();
    // Old statistics will do while the database is unavailable.
    if (performance.now() - readAt > freshMs) refresh().catch(ignore);
    return cached;
  };
}
