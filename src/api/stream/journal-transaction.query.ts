import { curve, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { journalLocks } from "../../../offchain/advisory-locks.ts";
import { withAdvisoryLock } from "../database/advisory-lock.ts";
import type { Database } from "../database/database.ts";
import { checkpoints, onchainSchema } from "../ponder/index-state.query.ts";

/**
 * Runs `work` in a snapshot of the on-chain tables, while no other process writes the journal. Notifies all processes if it resolves
 * to true. Throws the driver's error if the database fails.
 */
export async function inJournalTransaction(
  pool: pg.Pool,
  work: (tx: Database) => Promise<boolean>,
): Promise<void> {
  // The lock is taken before the transaction begins, so that its snapshot includes what the previous writer committed.
  await withAdvisoryLock(pool, { key: journalLocks, name: onchainSchema, shouldWait: true }, (client) =>
    drizzle(client, { casing: "snake_case" }).transaction(
      async (tx) => {
        // Whatever the server's default: an id that was sent to a client must not be assigned again after a crash.
        await tx.execute(sql`set local synchronous_commit = on`);
        await lockStreamTables(tx);
        if (await work(tx)) await tx.execute(sql`notify offchain_stream`);
      },
      { isolationLevel: "repeatable read" },
    ),
  );
}

/** Keeps `npm run dev` from replacing the tables after the snapshot, which would then see them empty. */
async function lockStreamTables(tx: Database): Promise<void> {
  await tx.execute(sql`lock table ${token}, ${curve}, ${trade}, ${checkpoints} in access share mode`);
}
