import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { readerUrlOnPrimary } from "../../config/reader-url.ts";
import { onConnection } from "../../offchain/connection.ts";
import { readWalPosition } from "../../offchain/wal-position.ts";
import { StartError } from "../start-error.ts";

export type ReplicaOptions = {
  url: string;
  readUrl: string;
  /** Connected to `url`. */
  owner: pg.ClientBase;
  /** Connected to `readUrl`. */
  reader: pg.ClientBase;
  /** Milliseconds that the replica has to replay everything written so far. */
  patienceMs?: number;
};

const stepMs = 50;

/**
 * Checks the server that reads go to, if it isn't the one that writes go to. Throws a StartError unless it is a replica and the
 * reader may log in to the primary too. Resolves to whether it has everything written so far, after giving it time to catch up.
 */
export async function checkReplica({
  url,
  readUrl,
  owner,
  reader,
  patienceMs = 10_000,
}: ReplicaOptions): Promise<boolean> {
  const written = await readWalPosition(owner);
  const read = await readWalPosition(reader);
  if (read.server === written.server) return true;
  if (!read.isReplica) {
    throw new StartError(
      "failed",
      "DATABASE_READ_URL leads to a server of its own, which is no replica of the one of DATABASE_URL: set it to that one, or to a streaming replica of it",
    );
  }
  await onConnection(readerUrlOnPrimary(url, readUrl), (client) => client.query("select")).catch(
    (error: Error & { code?: string }) => {
      throw new StartError(
        "failed",
        `the server of DATABASE_URL doesn't let in the role of DATABASE_READ_URL (${error.message || error.code}), as which the service reads there while the replica is behind or away: allow it in the primary's pg_hba.conf`,
        { cause: error },
      );
    },
  );
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { reached } = await readWalPosition(reader);
    if ((reached ?? 0) >= (written.reached ?? 0)) return true;
    if (performance.now() > deadline) return false;
    await delay(stepMs);
  }
}
