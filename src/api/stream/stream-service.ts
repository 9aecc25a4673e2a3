import type { Writable } from "node:stream";
import { pause } from "../../../config/async.ts";
import type { Environment } from "../../../config/env.ts";
import { onReload } from "../../../config/reload.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import { createPool, type Database, openDatabase } from "../database/database.ts";
import type { ReadPools } from "../database/read-pools.ts";
import { gauge, metricText } from "../http/metric-text.ts";
import { ProblemException } from "../http/problem.ts";
import { onRetire } from "../ponder/handover.ts";
import { ponderShutdown } from "../ponder/internals.ts";
import { type Broadcaster, createBroadcaster, createStreamClient, type StreamClient } from "./broadcaster.ts";
import { formatCursor, isAtOrAfter } from "./cursor.ts";
import { formatHeartbeat } from "./format.ts";
import { readStreamPage } from "./read-page.ts";
import { findStreamPosition, type StreamFilter, type StreamPosition } from "./stream-page.query.ts";
import { type StreamWorkerOptions, startStreamWorker } from "./worker.ts";

type StreamServiceOptions = Omit<StreamWorkerOptions, "broadcaster"> & {
  /** Where missed events are read for clients that reconnect. */
  db: Database;
  /** Where new events are read: the database of the REST API, which must have an event before clients get it. Default: `pool`. */
  endDb?: Database;
  /** The most clients of one address at a time. */
  maxPerAddress: number;
};

type StreamRequest = {
  filter: StreamFilter;
  /** The last event that the client has; undefined if it only wants new ones. */
  after: StreamPosition | undefined;
  /** Identifies the client for the limit per address. */
  address: string;
  /** What the client reads. */
  outgoing: Writable;
};

export type StreamService = ReturnType<typeof createStreamService>;

/** The most clients of this process at a time. */
const maxClients = 10_000;
/** The most bytes to queue for a client that reads slowly. */
const maxQueuedBytes = 1_000_000;

/** Creates the stream of events: writes its journal, and serves its clients. */
export function createStreamService({ db, endDb, maxPerAddress, ...options }: StreamServiceOptions) {
  const journalDb = openDatabase(options.pool);
  const broadcaster = createBroadcaster(endDb ?? journalDb);
  const work = startStreamWorker({ ...options, broadcaster });
  const catchUp = createCatchUp(db, broadcaster);
  const clientLimit = createClientLimit(maxClients);
  // Without a replica, a second look can't find more, and would wait for the connections that the journal is written on.
  const positions = options.waitForReplica === undefined ? [db] : [db, journalDb];
  let isStopped = false;

  return {
    /**
     * Opens a stream, which is queued until it is started. Throws a ProblemException if no stream is available, or none from that
     * position.
     */
    async open({ filter, after, address, outgoing }: StreamRequest): Promise<StreamClient> {
      if (clientLimit.count(address) >= maxPerAddress) throw tooMany(maxPerAddress);
      if (isStopped || !clientLimit.makeRoom(address)) throw full();
      const client = createStreamClient(maxQueuedBytes, outgoing);
      // The client is closed already, so no listener added later would be called.
      if (client.closed.aborted) return client;
      clientLimit.add(address, client);
      // Before the first await: from here on the client counts, and is closed with the others.
      broadcaster.enter(client, filter);
      try {
        if (after !== undefined) await assertKnown(positions, after);
      } catch (error) {
        client.close();
        throw error;
      }
      void catchUp(client, { filter, after, address });
      return client;
    },
    begin: work.begin,
    /** Reads how current the stream is, as a metric in the text format of Prometheus. */
    readMetrics: () =>
      metricText([
        gauge(
          "launchpad_stream_idle_seconds",
          "Seconds since the stream of events was last up to date. It is checked every 15 seconds",
          work.idleSeconds(),
        ),
      ]),
    /** Closes all streams. New ones can be opened. */
    closeAll: broadcaster.closeAll,
    /** Closes the streams of clients that have caught up and know their position, so that they reconnect to another process. */
    closeCaughtUp: broadcaster.closeJoined,
    /** Closes all streams and releases all resources. */
    async stop(): Promise<void> {
      isStopped = true;
      broadcaster.closeAll();
      await work.stop();
    },
  };
}

/** @param databases to check in order; the last has everything, the others may be behind the process that served the client before */
async function assertKnown(databases: Database[], after: StreamPosition): Promise<void> {
  let position: Awaited<ReturnType<typeof findStreamPosition>> = "unknown";
  for (const db of databases) if (position === "unknown") position = await findStreamPosition(db, after);
  if (position === "known") return;
  const advice =
    "read the state from the REST endpoints and ask again without a position (Last-Event-ID, lastEventId or cursor)";
  throw position === "gone"
    ? new ProblemException({
        status: 410,
        code: "stream_position_gone",
        detail: `The events after this one are no longer kept: ${advice}.`,
      })
    : new ProblemException({
        status: 409,
        code: "stream_position_unknown",
        detail: `There has been no such event here: ${advice}.`,
      });
}

function full(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    detail: "This process serves as many streams as it can: try again in a few seconds.",
    retryAfter: 5,
  });
}

function tooMany(max: number): ProblemException {
  return new ProblemException({
    status: 429,
    code: "too_many_streams",
    detail: `Your address has ${max} streams open, which is the limit: close one, or follow several tokens with one stream.`,
    retryAfter: 30,
  });
}

/** The most streams that one address may have open, if rate limits are on. */
const maxPerAddress = 100;

/**
 * Creates the stream from the environment. Ponder waits for open streams when it shuts down its server, so they are closed then. In
 * development, it shuts down the server on every edit, but runs this module again only for edits of the API.
 */
export function createStream(
  { databaseUrl, databaseSchema, streamRetentionHours, rateLimit }: Environment,
  { db, reads }: { db: Database; reads: ReadPools },
): StreamService {
  const service = createStreamService({
    databaseUrl,
    db,
    pool: createPool({
      url: databaseUrl,
      name: `${databaseSchema}_stream`,
      connections: 2,
      statementSeconds: 10,
    }),
    endDb: openDatabase(
      reads.pool({ name: `${databaseSchema}_stream_end`, connections: 1, statementSeconds: 10 }),
    ),
    waitForReplica: reads.route?.waitForAllWrites,
    retentionHours: streamRetentionHours,
    maxPerAddress: rateLimit.isOn === false ? Number.POSITIVE_INFINITY : maxPerAddress,
  });
  onReload("stream", service.stop);
  onRetire(service.closeCaughtUp);

  // Every server that Ponder starts has its own shutdown.
  let watched: ReturnType<typeof ponderShutdown>;
  return {
    ...service,
    async open(request: StreamRequest) {
      const shutdown = ponderShutdown();
      if (shutdown !== watched) shutdown?.add(async () => service.closeAll());
      watched = shutdown;
      return await service.open(request);
    },
  };
}

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
export function createCatchUp(db: Database, broadcaster: Broadcaster) {
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
        broadcaster.position === undefined || (at !== undefined && !isAtOrAfter(broadcaster.position, at));
      if (isAhead()) await broadcaster.advance();
      if (isAhead()) await pause(retryMs, signal);
      const end = broadcaster.position;
      if (end === undefined || isAhead()) return false;
      // No await between this check and the join, or events in between would be lost.
      if (at === undefined || isAtOrAfter(at, end)) {
        broadcaster.join(client, filter);
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

/**
 * Limits the clients of a process. When the limit is reached, the address with the most clients loses its oldest one to an address
 * with fewer, so that nobody can keep everyone else out.
 */
export function createClientLimit(max: number) {
  /** Each address's clients, the oldest first. */
  const addresses = new Map<string, Set<StreamClient>>();
  let taken = 0;

  const count = (address: string) => addresses.get(address)?.size ?? 0;

  function leave(address: string, client: StreamClient): void {
    taken--;
    addresses.get(address)?.delete(client);
    if (count(address) === 0) addresses.delete(address);
  }

  return {
    /** Returns the number of clients of an address. */
    count,
    /** Returns whether there is a place for one more client of the address, cutting off another client if necessary. */
    makeRoom(address: string): boolean {
      if (taken < max) return true;
      let largest = new Set<StreamClient>();
      for (const clients of addresses.values()) if (clients.size > largest.size) largest = clients;
      // With no more than this, the two addresses would keep taking the place from each other.
      if (largest.size <= count(address) + 1) return false;
      const [oldest] = largest;
      oldest?.destroy();
      return true;
    },
    /** Gives the client a place until it is closed. */
    add(address: string, client: StreamClient): void {
      taken++;
      const clients = addresses.get(address) ?? new Set();
      addresses.set(address, clients.add(client));
      client.closed.addEventListener("abort", () => leave(address, client), { once: true });
    },
  };
}
