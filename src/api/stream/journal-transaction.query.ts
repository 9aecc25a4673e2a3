import { curve, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { journalLocks } from "../../../offchain/advisory-locks.ts";
import { withAdvisoryLock } from "../database/advisory-lock.ts";
import type { Database } from "../database/database.ts";
import { checkpoints, onchainSchema } from "../ponder/index-state.query.ts";

/**
 * Runs `work` while no other process writes the journal, in one state of the on-chain tables. Every process is notified when
 * it resolves to true. Throws the driver's error when the database fails.
 */
export async function inJournalTransaction(
  pool: pg.Pool,
  work: (tx: Database) => Promise<boolean>,
): Promise<void> {
  // Locked before the transaction begins, so that it sees what the one before has written.
  await withAdvisoryLock(pool, { key: journalLocks, name: onchainSchema, shouldWait: true }, (client) =>
    drizzle(client, { casing: "snake_case" }).transaction(
      async (tx) => {
        // Whatever the server's default: an id that a client was told must not be given again after a crash.
        await tx.execute(sql`set local synchronous_commit = on`);
        await lockStreamTables(tx);
        if (await work(tx)) await tx.execute(sql`notify offchain_stream`);
      },
      { isolationLevel: "repeatable read" },
    ),
  );
}

/** Keeps what is read next from being taken back meanwhile. Locks in Ponder's own order, so that neither waits for the other. */
async function lockStreamTables(tx: Database): Promise<void> {
  await tx.execute(sql`lock table ${token}, ${curve}, ${trade}, ${checkpoints} in access share mode`);
}
