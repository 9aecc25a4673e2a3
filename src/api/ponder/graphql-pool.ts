import type { ReadPools } from "../database/read-pools.ts";
import { type PonderPool, ponderDatabase } from "./internals.ts";

/** Ponder's read pool. */
export const graphqlPool = (): PonderPool | undefined => ponderDatabase()?.driver.readonly;

/**
 * Makes Ponder's read pool (GraphQL, `/ready`, `/status`) connect to the database that serves our reads, as the read-only
 * role, and with limits: Ponder allows a statement 30 seconds and 512 MB for each sort, and has no setting for either. Only
 * new connections take these options, so call it before the first one is opened.
 */
export function limitGraphqlPool(reads: Pick<ReadPools, "url" | "adopt">, statementSeconds: number): void {
  const pool = ponderDatabase()?.driver.readonly;
  if (pool === undefined) return;
  pool.options.connectionString = reads.url;
  pool.options.statement_timeout = statementSeconds * 1_000;
  // Runs after Ponder's own settings. A sort or hash that needs more memory spills to files, for which the role has a limit.
  // Parallel workers would mix up the order of a list that is joined to other tables.
  const settings = "set work_mem = '16MB'; set jit = off; set max_parallel_workers_per_gather = 0";
  pool.options.onConnect = (client) => client.query(settings);
  reads.adopt(pool);
}
