import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import type { StreamClient } from "./client.ts";
import { formatCursor, reaches } from "./cursor.ts";
import { filterKey, itemMatches } from "./filter.ts";
import { formatHeartbeat, formatPosition, formatReady } from "./format.ts";
import { readStreamEnd, type StreamFilter, type StreamPosition } from "./stream-tail.query.ts";
import { everything, readStreamPage, type StreamItem } from "./tail.ts";

/** Events that are read at a time. */
const pageSize = 500;
/** Heartbeats without an event after which clients are told their position as one: five minutes. */
const mostQuietBeats = 20;

type Group = {
  filter: StreamFilter;
  clients: Set<StreamClient>;
  /** Up to where its clients know that they have everything, if only events tell them. */
  told: StreamPosition;
  /** Heartbeats since then. */
  quietBeats: number;
};

export type StreamHub = ReturnType<typeof createStreamHub>;

/**
 * Reads the end of the stream once for all clients of this process, and hands each event out as the same bytes to all who want
 * it. Reads nothing while there are no clients.
 */
export function createStreamHub(db: Database) {
  const groups = new Map<string, Group>();
  const everyone = new Set<StreamClient>();
  /** Up to where everything has been handed out. Undefined while nobody listens, and before the stream begins. */
  let position: StreamPosition | undefined;

  const advance = singleFlight(async () => {
    if (everyone.size === 0) return;
    const end = await readStreamEnd(db);
    if (end === undefined || everyone.size === 0) return;
    position ??= end;
    // A database that was set back: what was handed out is not there any more.
    if (!reaches(end, position)) closeAll();
    // Undefined once the last client has left.
    while (position !== undefined && !reaches(position, end)) {
      const page = await readStreamPage(db, {
        after: position,
        upTo: end,
        filter: everything,
        limit: pageSize,
      });
      if (position === undefined) return;
      position = page.end;
      if (page.hasBegun) closeAll();
      else handOut(page.items);
      // Lets the connections take it before there is more.
      if (page.isFull) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  function handOut(items: StreamItem[]): void {
    if (items.length === 0) return;
    for (const group of groups.values()) {
      const text = items.flatMap((item) => (itemMatches(item, group.filter) ? [item.text] : [])).join("");
      if (text !== "") tell(group, text);
    }
  }

  function tell(group: Group, text: string): void {
    const bytes = Buffer.from(text);
    for (const client of group.clients) client.send(bytes);
    group.told = position ?? group.told;
    group.quietBeats = 0;
  }

  /** EventSource takes no id from a heartbeat: where nothing matches for days, it would come back to what is gone. */
  function tellPosition(group: Group): void {
    group.quietBeats++;
    if (position === undefined || reaches(group.told, position) || group.quietBeats < mostQuietBeats) return;
    tell(group, formatPosition(formatCursor(position)));
  }

  function closeAll(): void {
    for (const client of everyone) client.close();
  }

  function leave(client: StreamClient, filter: StreamFilter): void {
    everyone.delete(client);
    const key = filterKey(filter);
    const group = groups.get(key);
    group?.clients.delete(client);
    if (group?.clients.size === 0) groups.delete(key);
    if (everyone.size === 0) position = undefined;
  }

  return {
    /** How many clients there are. */
    get size(): number {
      return everyone.size;
    },
    /** Up to where everything has been handed out, if anything is. */
    get position(): StreamPosition | undefined {
      return position;
    },
    /** Looks for what is new, and hands it out. Throws the driver's error when the database fails. */
    advance,
    /** Counts a client in, who gets no events yet: `position` moves on from now. */
    enter(client: StreamClient, filter: StreamFilter): void {
      everyone.add(client);
      client.closed.addEventListener("abort", () => leave(client, filter), { once: true });
      if (client.closed.aborted) leave(client, filter);
    },
    /** Has a client get everything after `position`, which it is told. */
    join(client: StreamClient, filter: StreamFilter): void {
      if (client.closed.aborted || position === undefined) return;
      const key = filterKey(filter);
      const group = groups.get(key) ?? { filter, clients: new Set(), told: position, quietBeats: 0 };
      groups.set(key, group);
      group.clients.add(client);
      // Not all in the same second, when a process ends that many were connected to.
      const retryMs = 1_000 + Math.floor(Math.random() * 2_000);
      // May be too much for it: then it leaves the group.
      client.send(Buffer.from(formatReady(formatCursor(position), retryMs)));
    },
    beat(): void {
      const live = new Set([...groups.values()].flatMap(({ clients }) => [...clients]));
      const withPosition = Buffer.from(formatHeartbeat(position && formatCursor(position)));
      const without = Buffer.from(formatHeartbeat(undefined));
      for (const client of everyone) client.send(live.has(client) ? withPosition : without);
      for (const group of groups.values()) tellPosition(group);
    },
    closeAll,
    /** Closes those who have joined. */
    closeJoined(): void {
      for (const { clients } of [...groups.values()]) for (const client of [...clients]) client.close();
    },
  };
}
