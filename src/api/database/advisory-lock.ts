import type pg from "pg";

/** The lock is on `key` and the hash of `name`. `shouldWait`: whether to wait while another process holds it. */
export type AdvisoryLock = { key: number; name: string; shouldWait: boolean };

/**
 * Runs `work` on a connection that holds the lock. Without `shouldWait`, does nothing if another process holds it. Throws the
 * driver's error if the database fails.
 */
export async function withAdvisoryLock(
  pool: pg.Pool,
  { key, name, shouldWait }: AdvisoryLock,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let failed = true;
  try {
    const { rows } = await client.query(
      shouldWait
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
    // After a failure the connection is closed, which releases its locks.
    client.release(failed);
  }
}
