import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { activityLocks } from "../../../offchain/advisory-locks.ts";
import { type Database, retryOnDeadlock } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";

/**
 * Runs `work` in one state of the database, unless another process is at it. Throws the driver's error when the database
 * fails.
 */
export async function inActivityTransaction(
  pool: pg.Pool,
  work: (tx: Database) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let failed = true;
  try {
    // Locked before the transaction begins, so that it sees what the one before has written.
    const { rows } = await client.query("select pg_try_advisory_lock($1, hashtext($2)) as taken", [
      activityLocks,
      onchainSchema,
    ]);
    if (rows[0].taken) {
      await retryOnDeadlock(() => transaction(client, work));
      await client.query("select pg_advisory_unlock($1, hashtext($2))", [activityLocks, onchainSchema]);
    }
    failed = false;
  } finally {
    // A connection that is closed lets go of its locks.
    client.release(failed);
  }
}

async function transaction(client: pg.PoolClient, work: (tx: Database) => Promise<void>): Promise<void> {
  await drizzle(client, { casing: "snake_case" }).transaction(work, { isolationLevel: "repeatable read" });
}
