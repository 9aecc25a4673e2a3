import { ponderDatabase } from "./internals.ts";

/**
 * Has Ponder's pool for reads (GraphQL, `/ready`, `/status`) connect as the role that can only read, and with limits:
 * Ponder lets a statement take 30 seconds and 512 MB for each sort, and has settings for neither. Only new connections
 * take them over, so it comes before the first.
 */
export function limitGraphqlPool(url: string | undefined, statementSeconds: number): void {
  const pool = ponderDatabase()?.driver.readonly;
  if (pool === undefined) return;
  pool.options.connectionString = url;
  pool.options.statement_timeout = statementSeconds * 1_000;
  // After what Ponder itself sets. A sort or a hash that needs more goes through files, of which the role has a limit.
  pool.options.onConnect = (client) => client.query("set work_mem = '16MB'; set jit = off");
}
