import { pause } from "../concurrency/pause.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import type { Database } from "../database/database.ts";
import type { StreamClient } from "./client.ts";
import { formatCursor, reaches } from "./cursor.ts";
import { formatHeartbeat } from "./format.ts";
import type { StreamHub } from "./hub.ts";
import type { StreamFilter, StreamPosition } from "./stream-tail.query.ts";
import { readStreamPage } from "./tail.ts";

const pageSize = 500;
/** Clients who read the past at the same time: after a restart all come back at once. */
const readers = 3;
const pauseMs = 500;
/** A client that does not take a page for so long is gone. */
const stuckMs = 60_000;

/** Sends a client what it has missed, page by page, until it can join the others. Never rejects. */
export function createCatchUp(db: Database, hub: StreamHub) {
  const turns = createSemaphore({
    concurrency: readers,
    maxWaiting: Number.POSITIVE_INFINITY,
    refuse: () => new Error("Invariant(stream): no end of turns"),
  });

  return async (client: StreamClient, filter: StreamFilter, after: StreamPosition | undefined) => {
    const signal = client.closed;
    let at = after;

    /** Resolves to whether there is nothing more to do. */
    async function step(): Promise<boolean> {
      // Ahead of this process is who was served by another one a moment ago.
      const isAhead = () => hub.position === undefined || (at !== undefined && !reaches(hub.position, at));
      if (isAhead()) await hub.advance();
      if (isAhead()) await pause(pauseMs, signal);
      const end = hub.position;
      if (end === undefined || isAhead()) return false;
      // Nothing must happen between this look and the joining.
      if (at === undefined || reaches(at, end)) {
        hub.join(client, filter);
        return true;
      }
      const part = { after: at, upTo: end, filter, limit: pageSize };
      const page = await turns(async () => (signal.aborted ? undefined : await readStreamPage(db, part)));
      if (page === undefined) return true;
      if (page.hasBegun) client.close();
      at = page.end;
      const news = page.items.map(({ text }) => text).join("");
      if (news !== "") client.send(Buffer.from(news));
      // Should its connection be lost meanwhile, it need not wait for this part again.
      else if (page.isFull) client.send(Buffer.from(formatHeartbeat(formatCursor(at))));
      const stuck = setTimeout(client.cut, stuckMs);
      await client.drained();
      clearTimeout(stuck);
      return false;
    }

    while (!signal.aborted) {
      // While the database is away the stream stays open, and goes on when it is back.
      const isDone = await step().catch(() => pause(pauseMs, signal).then(() => false));
      if (isDone) return;
    }
  };
}
