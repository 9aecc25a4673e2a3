import { pause } from "../../../config/async.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import type { Database } from "../database/database.ts";
import type { StreamClient } from "./client.ts";
import { formatCursor, isAtOrAfter } from "./cursor.ts";
import { formatHeartbeat } from "./format.ts";
import type { StreamHub } from "./hub.ts";
import type { StreamFilter, StreamPosition } from "./stream-tail.query.ts";
import { readStreamPage } from "./tail.ts";

const pageSize = 500;
/** Pages that are read at a time: after a restart all clients come back at once. */
const readers = 3;
const maxWaitMs = 60_000;
const retryMs = 500;
/** A client that takes longer than this to receive a page is considered gone. */
const stuckMs = 60_000;

/**
 * Sends a client the events it has missed, page by page, until it can join the live clients. Addresses take turns, however many
 * streams each of them has. Never rejects.
 */
export function createCatchUp(db: Database, hub: StreamHub) {
  const limitReads = createFairSemaphore({
    concurrency: readers,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitMs,
    // The page is tried again.
    refuse: () => new Error("reading missed events takes too long"),
  });

  return async (
    client: StreamClient,
    { filter, after, address }: { filter: StreamFilter; after: StreamPosition | undefined; address: string },
  ) => {
    const signal = client.closed;
    let at = after;

    /** Resolves to whether the client is done catching up. */
    async function step(): Promise<boolean> {
      // A client that was served by another process a moment ago may be ahead of this one.
      const isAhead = () =>
        hub.position === undefined || (at !== undefined && !isAtOrAfter(hub.position, at));
      if (isAhead()) await hub.advance();
      if (isAhead()) await pause(retryMs, signal);
      const end = hub.position;
      if (end === undefined || isAhead()) return false;
      // No await between this check and the join, or events in between would be lost.
      if (at === undefined || isAtOrAfter(at, end)) {
        hub.join(client, filter);
        return true;
      }
      const part = { after: at, upTo: end, filter, limit: pageSize };
      const page = await limitReads(address, async () => await readStreamPage(db, part), signal);
      if (page.hasBegun) client.close();
      at = page.end;
      const text = page.items.map((item) => item.text).join("");
      if (text !== "") client.send(Buffer.from(text));
      // Tells the client its position, so that it needn't wait for this part again if it loses its connection.
      else if (page.isFull) client.send(Buffer.from(formatHeartbeat(formatCursor(at))));
      const stuck = setTimeout(client.destroy, stuckMs);
      await client.drained();
      clearTimeout(stuck);
      return false;
    }

    while (!signal.aborted) {
      // While the database is unavailable, the stream stays open, and continues afterwards.
      const isDone = await step().catch(() => pause(retryMs, signal).then(() => false));
      if (isDone) return;
    }
  };
}
