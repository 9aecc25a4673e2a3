import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { turnLock } from "../../offchain/advisory-locks.ts";
import { reportedByQuery } from "../../offchain/connection.ts";

/** Milliseconds to wait for the others, and between attempts. */
const maxWaitMs = 300_000;
const retryMs = 500;

export type TurnOptions = { url: string; signal: AbortSignal; waitMs?: number };

/**
 * Waits until no other process of this database has its turn. Ends with the process at the latest, and nobody is waited for
 * for ever, whatever keeps it.
 *
 * @returns a function that ends the turn
 * @throws the driver's error, or the signal's reason
 */
export async function takeTurn({
  url,
  signal,
  waitMs = maxWaitMs,
}: TurnOptions): Promise<() => Promise<void>> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "turn",
    connectionTimeoutMillis: 30_000,
  });
  client.on("error", reportedByQuery);
  const end = () => client.end().catch(reportedByQuery);
  try {
    await client.connect();
    for (const deadline = performance.now() + waitMs; ; ) {
      signal.throwIfAborted();
      const { rows } = await client.query<{ is_ours: boolean }>(
        "select pg_try_advisory_lock($1) as is_ours",
        [turnLock],
      );
      if (rows[0]?.is_ours === true || performance.now() > deadline) return end;
      await delay(retryMs, undefined, { signal });
    }
  } catch (error) {
    await end();
    throw error;
  }
}
