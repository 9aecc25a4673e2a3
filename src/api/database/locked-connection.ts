import type pg from "pg";

/** The key and the name of an advisory lock, and whether to wait while another process has it. */
export type AdvisoryLock = { key: number; name: string; isAwaited: boolean };

/**
 * Runs `work` on a connection that has the lock. Without waiting, it is not run while another process has it. Throws the driver's
 * error when the database fails.
 */
export async function onLockedConnection(
  pool: pg.Pool,
  { key, name, isAwaited }: AdvisoryLock,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let failed = true;
  try {
    const { rows } = await client.query(
      isAwaited
        ? "select true as taken from pg_advisory_lock($1, hashtext($2))"
        : "select pg_try_advisory_lock($1, hashtext($2)) as taken",
      [key, name],
    );
    if (rows[0].taken) {
      await work(client);
      await client.query("select pg_advisory_unlock($1, hashtext($2))", [key, name]);
    }
    failed = false;
  } finally {
    // A connection that is closed lets go of its locks.
    client.release(failed);
  }
}
