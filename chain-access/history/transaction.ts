import type pg from "pg";

/** Runs `work` in a transaction on a connection of its own. Throws what it throws. */
export async function inTransaction(
  database: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await database.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin");
    await work(client);
    await client.query("commit");
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection whose transaction may still be open is closed.
    client.release(failure);
  }
}
