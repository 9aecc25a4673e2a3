import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

const RECONNECT_MS = 500;

export type WatchOptions = {
  url: string;
  signal: AbortSignal;
  /** Called each time that the database closed the connection or could not be reached any more. */
  onLost: () => void;
};

/**
 * Holds a connection to the database for as long as the signal lasts, and tells when it was lost. Resolves at the
 * end and never rejects.
 *
 * Ponder writes with synchronous_commit off, so a database that crashes may forget the last blocks that it had
 * confirmed. Ponder itself would reconnect and go on after them, leaving a gap; started again, it reads from the
 * database how far it really got.
 */
export async function watchDatabase({ url, signal, onLost }: WatchOptions): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString: url,
      application_name: "database_watch",
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
    // The end follows; without a listener the error would end this process.
    client.on("error", () => {});
    const end = () => void client.end().catch(() => {});
    signal.addEventListener("abort", end, { once: true });
    try {
      await client.connect();
      await ended;
      if (!signal.aborted) onLost();
    } catch {
      // Not back yet.
    }
    signal.removeEventListener("abort", end);
    await delay(RECONNECT_MS, undefined, { signal }).catch(() => {});
  }
}
