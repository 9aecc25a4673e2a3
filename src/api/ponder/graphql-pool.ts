import type { ReadPools } from "../database/read-pools.ts";
import { type PonderPool, ponderDatabase } from "./internals.ts";

/** Ponder's pool for reads. */
export const graphqlPool = (): PonderPool | undefined => ponderDatabase()?.driver.readonly;

/**
 * Has Ponder's pool for reads (GraphQL, `/ready`, `/status`) connect where all reads do, as the role that can only read, and with limits:
 * Ponder lets a statement take 30 seconds and 512 MB for each sort, and has settings for neither. Only new connections
 * take them over, so it comes before the first.
 */
export function limitGraphqlPool(reads: Pick<ReadPools, "url" | "adopt">, statementSeconds: number): void {
  const pool = ponderDatabase()?.driver.readonly;
  if (pool === undefined) return;
  pool.options.connectionString = reads.url;
  pool.options.statement_timeout = statementSeconds * 1_000;
  // After what Ponder itself sets. A sort or a hash that needs more goes through files, of which the role has a limit. Parallel
  // workers would mix up the rows of a list that is joined to others.
  const settings = "set work_mem = '16MB'; set jit = off; set max_parallel_workers_per_gather = 0";
  pool.options.onConnect = (client) => client.query(settings);
  reads.adopt(pool);
}
