import type { Writable } from "node:stream";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import { formatCursor, isAtOrAfter } from "./cursor.ts";
import { filterKey, itemMatches } from "./filter.ts";
import { formatHeartbeat, formatPosition, formatReady } from "./format.ts";
import { matchAll, readStreamPage, type StreamItem } from "./read-page.ts";
import { readStreamEnd, type StreamFilter, type StreamPosition } from "./stream-page.query.ts";

/** Events read at a time. */
const pageSize = 500;
/** Heartbeats without an event (five minutes) after which clients get their position as an event. */
const maxQuietBeats = 20;
/** Sends in one turn of the event loop: a thousand would hold it up for up to a tenth of a second. */
const turnSize = 50;
/** The most bytes that may be queued for all clients together, each of which may have a megabyte. */
const maxQueuedBytes = 100_000_000;

type Group = {
  filter: StreamFilter;
  clients: Set<StreamClient>;
  /** The last position that its clients learned from an event. */
  lastSent: StreamPosition;
  /** Heartbeats since then. */
  quietBeats: number;
};

export type Broadcaster = ReturnType<typeof createBroadcaster>;

/**
 * Reads new events once for all clients of this process, and broadcasts each as the same bytes to all clients whose filter it
 * matches. Reads nothing while there are no clients.
 */
export function createBroadcaster(db: Database, maxQueued = maxQueuedBytes) {
  const groups = new Map<string, Group>();
  const everyone = new Set<StreamClient>();
  /** Everything up to here has been broadcast, or is being. Undefined while there are no clients, and before the stream begins. */
  let position: StreamPosition | undefined;
  /** One broadcast at a time, so that no heartbeat has the position of events that its client is yet to be sent. */
  const inOrder = createSemaphore({ concurrency: 1 });
  let turns = 0;

  const advance = singleFlight(async () => {
    if (everyone.size === 0) return;
    const end = await readStreamEnd(db);
    if (end === undefined || everyone.size === 0) return;
    position ??= end;
    // The database was restored to an earlier state, which lacks events that were broadcast.
    if (!isAtOrAfter(end, position)) closeAll();
    // Undefined once the last client has left.
    while (position !== undefined && !isAtOrAfter(position, end)) {
      const page = await readStreamPage(db, {
        after: position,
        upTo: end,
        filter: matchAll,
        limit: pageSize,
      });
      await inOrder(async () => {
        if (position === undefined) return;
        position = page.end;
        if (page.hasBegun) closeAll();
        else await broadcast(page.items);
      });
      // Lets the connections flush before there is more.
      if (page.isFull) await yieldToEventLoop();
    }
  });

  async function broadcast(items: StreamItem[]): Promise<void> {
    if (items.length === 0) return;
    dropSlowest();
    // Whoever joins meanwhile knows a position after these events.
    const receivers = [...groups.values()].map((group) => ({ group, clients: [...group.clients] }));
    for (const { group, clients } of receivers) {
      await takeTurn();
      const text = items.flatMap((item) => (itemMatches(item, group.filter) ? [item.text] : [])).join("");
      if (text !== "") await sendToGroup(group, clients, text);
    }
  }

  async function takeTurn(): Promise<void> {
    turns++;
    if (turns % turnSize === 0) await yieldToEventLoop();
  }

  /** Makes room for what is sent next. The clients of a group share their bytes, which stay until the slowest has taken them. */
  function dropSlowest(): void {
    let total = 0;
    const queues = [...groups.values()].map(({ clients }) => {
      let bytes = 0;
      for (const client of clients) bytes = Math.max(bytes, client.queuedBytes());
      total += bytes;
      return { clients, bytes };
    });
    if (total <= maxQueued) return;
    for (const { clients, bytes } of queues.sort((left, right) => right.bytes - left.bytes)) {
      if (total <= maxQueued) return;
      for (const client of clients) if (client.queuedBytes() > bytes / 2) client.destroy();
      total -= bytes / 2;
    }
  }

  async function sendToGroup(group: Group, clients: StreamClient[], text: string): Promise<void> {
    const bytes = Buffer.from(text);
    group.lastSent = position ?? group.lastSent;
    group.quietBeats = 0;
    for (const client of clients) {
      await takeTurn();
      client.send(bytes);
    }
  }

  /** EventSource takes no id from a heartbeat: if nothing matched for days, it would reconnect at a position that is gone. */
  async function sendQuietPosition(group: Group): Promise<void> {
    group.quietBeats++;
    if (position === undefined || isAtOrAfter(group.lastSent, position) || group.quietBeats < maxQuietBeats)
      return;
    await sendToGroup(group, [...group.clients], formatPosition(formatCursor(position)));
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
    /** The number of clients. */
    get size(): number {
      return everyone.size;
    },
    /** The position up to which everything has been broadcast, or is being, if there is one. */
    get position(): StreamPosition | undefined {
      return position;
    },
    /** Reads new events and broadcasts them. Throws the driver's error if the database fails. */
    advance,
    /** Registers a client, which gets no events yet. From now on, `position` advances. */
    enter(client: StreamClient, filter: StreamFilter): void {
      everyone.add(client);
      client.closed.addEventListener("abort", () => leave(client, filter), { once: true });
      if (client.closed.aborted) leave(client, filter);
    },
    /** Starts sending a client everything after `position`, and tells it that position. */
    join(client: StreamClient, filter: StreamFilter): void {
      if (client.closed.aborted || position === undefined) return;
      const key = filterKey(filter);
      const group = groups.get(key) ?? { filter, clients: new Set(), lastSent: position, quietBeats: 0 };
      groups.set(key, group);
      group.clients.add(client);
      // Jitter, so that the clients of a process that ends don't all reconnect in the same second.
      const retryMs = 1_000 + Math.floor(Math.random() * 2_000);
      // Sent last: if the client's queue is full, this cuts it off, and it leaves the group.
      client.send(Buffer.from(formatReady(formatCursor(position), retryMs)));
    },
    sendHeartbeat: () =>
      inOrder(async () => {
        for (const group of [...groups.values()]) await sendQuietPosition(group);
        const live = new Set([...groups.values()].flatMap(({ clients }) => [...clients]));
        const withPosition = Buffer.from(formatHeartbeat(position && formatCursor(position)));
        const without = Buffer.from(formatHeartbeat(undefined));
        for (const client of [...everyone]) {
          await takeTurn();
          client.send(live.has(client) ? withPosition : without);
        }
      }),
    closeAll,
    closeJoined(): void {
      for (const { clients } of [...groups.values()]) for (const client of [...clients]) client.close();
    },
  };
}

export type StreamClient = ReturnType<typeof createStreamClient>;

/** Shared by all clients, since an error of its own would record the stack for each. */
const gone = new Error("the stream is closed");

/**
 * A connected client of the stream.
 *
 * @param maxBytes the most bytes that may be queued in this process before the client is cut off
 * @param outgoing what the client reads, which buffers too, and knows when the connection is closed
 */
export function createStreamClient(maxBytes: number, outgoing: Writable) {
  const closing = new AbortController();
  /** What `outgoing` has not taken yet. */
  const queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let hasStarted = false;
  let drain: PromiseWithResolvers<void> | undefined;

  function settle(): void {
    drain?.resolve();
    drain = undefined;
  }

  function flush(): void {
    while (hasStarted && queue.length > 0 && !outgoing.writableNeedDrain) {
      const bytes = queue.shift() as Uint8Array;
      queuedBytes -= bytes.length;
      outgoing.write(bytes);
    }
    if (queuedBytes > 0) return;
    settle();
    if (hasStarted && closing.signal.aborted) outgoing.end();
  }

  function leave(): void {
    closing.abort(gone);
    queue.length = 0;
    queuedBytes = 0;
    settle();
  }

  outgoing.on("drain", flush);
  outgoing.once("close", leave);
  if (outgoing.destroyed) leave();

  /** Destroys the connection, dropping queued bytes. */
  function destroy(): void {
    if (closing.signal.aborted) return;
    leave();
    outgoing.destroy();
  }

  return {
    /** Aborted when the client is closed, by either side. */
    closed: closing.signal,
    /** Returns the number of bytes that wait here, apart from those that `outgoing` buffers. */
    queuedBytes: () => queuedBytes,
    /** Begins to write: until then, everything is queued. */
    start(): void {
      hasStarted = true;
      flush();
    },
    /** Queues bytes for the client, or cuts it off if too many are queued already. */
    send(bytes: Uint8Array): void {
      if (closing.signal.aborted) return;
      if (queuedBytes + outgoing.writableLength > maxBytes) {
        destroy();
        return;
      }
      queue.push(bytes);
      queuedBytes += bytes.length;
      flush();
    },
    /** Resolves once the queue is empty or the client is closed. */
    async drained(): Promise<void> {
      if (closing.signal.aborted || queuedBytes === 0) return;
      drain ??= Promise.withResolvers();
      await drain.promise;
    },
    /** Ends the response after the queued bytes. */
    close(): void {
      if (closing.signal.aborted) return;
      closing.abort(gone);
      settle();
      flush();
    },
    destroy,
  };
}
