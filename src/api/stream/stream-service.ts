import type { Writable } from "node:stream";
import { type Database, openDatabase } from "../database/database.ts";
import { ProblemException } from "../http/problem.ts";
import { createCatchUp } from "./catch-up.ts";
import { createStreamClient } from "./client.ts";
import { createStreamHub } from "./hub.ts";
import { createPlaces } from "./places.ts";
import { findStreamPosition, type StreamFilter, type StreamPosition } from "./stream-tail.query.ts";
import { type StreamWorkOptions, startStreamWork } from "./stream-work.ts";

export type StreamServiceOptions = Omit<StreamWorkOptions, "hub"> & {
  /** For clients who come back. */
  db: Database;
  /** For the end of the stream, from where answers are read: an event must not come before they have it. Default: `pool`. */
  endDb?: Database;
  /** Clients of one address at a time. */
  mostPerAddress: number;
  /** Clients of this process at a time; default 10,000. */
  mostClients?: number;
};

type StreamRequest = {
  filter: StreamFilter;
  /** The last event that the client has; undefined: it wants what comes from now on. */
  after: StreamPosition | undefined;
  /** Who counts as one client. */
  address: string;
  /** The response beneath, where there is one. */
  outgoing: Writable | undefined;
};

export type StreamService = {
  /** Throws a ProblemException when the stream can't be had, or not from there. */
  open(request: StreamRequest): Promise<ReadableStream<Uint8Array>>;
  /** Ends every stream; others may follow. */
  closeAll(): void;
  /** Ends the streams of clients who have all that there is, and know where they are: they come back to another process. */
  endJoined(): void;
  /** Ends every stream and lets go of everything. */
  stop(): Promise<void>;
};

/** What may wait for a client that reads slowly. */
const mostBytes = 1_000_000;

/** The stream of events: what is written for it, and who reads it. */
export function createStreamService({
  db,
  endDb,
  mostPerAddress,
  mostClients = 10_000,
  ...options
}: StreamServiceOptions): StreamService {
  const journalDb = openDatabase(options.pool);
  const hub = createStreamHub(endDb ?? journalDb);
  const work = startStreamWork({ ...options, hub });
  const catchUp = createCatchUp(db, hub);
  const places = createPlaces(mostClients);
  let isStopped = false;

  return {
    async open({ filter, after, address, outgoing }) {
      if (places.of(address) >= mostPerAddress) throw tooMany(mostPerAddress);
      if (isStopped || !places.makeRoom(address)) throw full();
      const client = createStreamClient(mostBytes, outgoing);
      // Gone while it was looked at, it would not say so again.
      if (client.closed.aborted) return client.body;
      places.take(address, client);
      // Before anything is waited for: from here on it counts, and is closed with the others.
      hub.enter(client, filter);
      try {
        if (after !== undefined) await assertKnown([db, journalDb], after);
      } catch (error) {
        client.close();
        throw error;
      }
      void catchUp(client, filter, after);
      return client.body;
    },
    closeAll: hub.closeAll,
    endJoined: hub.closeJoined,
    async stop() {
      isStopped = true;
      hub.closeAll();
      await work.stop();
    },
  };
}

/** @param databases of which the last one has everything: the others may be behind whoever served the client before */
async function assertKnown(databases: Database[], after: StreamPosition): Promise<void> {
  let found: Awaited<ReturnType<typeof findStreamPosition>> = "unknown";
  for (const db of databases) if (found === "unknown") found = await findStreamPosition(db, after);
  if (found === "known") return;
  const advice = "read the state from the REST endpoints and connect anew, without Last-Event-ID";
  throw found === "gone"
    ? new ProblemException({
        status: 410,
        code: "stream_position_gone",
        title: "Stream position gone",
        detail: `What followed this event is not kept any more: ${advice}.`,
      })
    : new ProblemException({
        status: 409,
        code: "stream_position_unknown",
        title: "Stream position unknown",
        detail: `There has been no such event here: ${advice}.`,
      });
}

function full(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    title: "Busy",
    detail: "This process has all the streams that it can serve: try again in some seconds.",
    retryAfter: 5,
  });
}

function tooMany(most: number): ProblemException {
  return new ProblemException({
    status: 429,
    code: "too_many_streams",
    title: "Too many streams",
    detail: `Your address has ${most} streams open, which is as many as it may: close one, or follow several tokens with one.`,
    retryAfter: 30,
  });
}
