import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { activityLocks } from "../../../offchain/advisory-locks.ts";
import { withAdvisoryLock } from "../database/advisory-lock.ts";
import type { Database } from "../database/database.ts";
import { retryOnDeadlock } from "../database/retry.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";

/**
 * Runs `work` in a repeatable-read transaction, or not at all while another process is running one. Throws the driver's error if
 * the database fails.
 */
export async function inActivityTransaction(
  pool: pg.Pool,
  work: (tx: Database) => Promise<void>,
): Promise<void> {
  // Locked before the transaction takes its snapshot, so that it sees what the previous holder committed.
  const lock = { key: activityLocks, name: onchainSchema, shouldWait: false };
  await withAdvisoryLock(pool, lock, (client) => retryOnDeadlock(() => transaction(client, work)));
}

async function transaction(client: pg.PoolClient, work: (tx: Database) => Promise<void>): Promise<void> {
  await drizzle(client, { casing: "snake_case" }).transaction(work, { isolationLevel: "repeatable read" });
}
