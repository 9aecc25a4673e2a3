import { PassThrough, Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { ignore } from "../../../config/async.ts";
import type { Chains } from "../chain/chains.ts";
import { streamNotBegun } from "../chain/not-found.ts";
import { clientIp, clientKey, nodeOf } from "../http/client-ip.ts";
import { createRouter } from "../http/router.ts";
import { parseCursor } from "./cursor.ts";
import { parseMessages } from "./format.ts";
import { type Events, eventsRoute, streamRoute } from "./stream.routes.ts";
import { toStreamFilter } from "./stream-event.schema.ts";
import type { StreamService } from "./stream-service.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // Keeps nginx from buffering events.
  "x-accel-buffering": "no",
  // The connection has no use after the stream, and would delay the end of the process.
  connection: "close",
};

type StreamDeps = {
  chains: Chains;
  stream: StreamService;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

export function createStreamRoute({ chains, stream, trustedHops }: StreamDeps) {
  return createRouter().openapi(streamRoute, async (c) => {
    const { chainId, lastEventId, ...query } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const filter = toStreamFilter(chain.id, query);
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    const { outgoing } = nodeOf(c);
    if (outgoing === undefined) throw new Error("Invariant(stream): the request has no connection");
    const client = await stream.open({
      filter,
      after: parseCursor(c.req.valid("header")["Last-Event-ID"] || lastEventId || ""),
      address: clientKey(clientIp(c, trustedHops)),
      outgoing,
    });
    // Hono would read the body from a web stream, which costs more than all else that is done for a stream.
    outgoing.setHeaders(c.res.headers).writeHead(200, headers);
    client.start();
    // If there is no event yet.
    outgoing.flushHeaders();
    return c.body(null, 200, { "x-hono-already-sent": "true" });
  });
}

/** However short the requested timeout, a request may take this long to read the events that are there already. */
const maxReadMs = 10_000;

export function createEvents({ chains, stream, trustedHops }: StreamDeps) {
  return createRouter().openapi(eventsRoute, async (c) => {
    const { chainId, cursor, timeout, limit, ...query } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const filter = toStreamFilter(chain.id, query);
    // A HEAD request has no use for waiting.
    if (c.req.method === "HEAD") return c.json({ events: [], nextCursor: "", timedOut: true }, 200);
    const { outgoing } = nodeOf(c);
    const hangUp = new AbortController();
    const leave = () => hangUp.abort();
    outgoing?.once("close", leave);
    try {
      // Closing the stream must not destroy this response.
      const body = new PassThrough();
      const client = await stream.open({
        filter,
        after: parseCursor(cursor ?? ""),
        address: clientKey(clientIp(c, trustedHops)),
        outgoing: body,
      });
      client.start();
      const timeoutMs = 1_000 * timeout;
      const answer = await collectEvents({
        body: Readable.toWeb(body),
        cursor: cursor || undefined,
        limit,
        timeout: AbortSignal.timeout(timeoutMs),
        abort: AbortSignal.any([hangUp.signal, AbortSignal.timeout(Math.max(maxReadMs, timeoutMs))]),
      });
      if (answer === undefined) throw streamNotBegun();
      return c.json(answer, 200, { "cache-control": "no-store" });
    } finally {
      outgoing?.off("close", leave);
    }
  });
}

type CollectOptions = {
  /** The body of an open stream. */
  body: ReadableStream<Uint8Array>;
  /** The reader's position before, if it has one. */
  cursor: string | undefined;
  /** The most events. */
  limit: number;
  /** Aborted when the reader has waited long enough, once it has all earlier events. */
  timeout: AbortSignal;
  /** Aborted when the reader must not wait any longer, even for those. */
  abort: AbortSignal;
};

/**
 * Reads a stream until the first events have arrived, with all that came along with them, or until the timeout; then cancels it.
 * Returns undefined if it was aborted before the stream had begun, so that there is no position to continue from.
 */
export async function collectEvents({
  body,
  cursor,
  limit,
  timeout,
  abort,
}: CollectOptions): Promise<Events | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: Events["events"] = [];
  let lastCursor = cursor;
  const stopped = Promise.withResolvers<undefined>();
  let hasEarlierEvents = false;
  const stopInTime = () => {
    if (abort.aborted || (timeout.aborted && hasEarlierEvents)) stopped.resolve(undefined);
  };
  for (const signal of [timeout, abort]) signal.addEventListener("abort", stopInTime, { once: true });
  stopInTime();

  try {
    while (events.length === 0) {
      // Fails if the stream is cut off, to give its place to another client: then this one asks again.
      const reading = reader.read().catch(() => undefined);
      const chunk = await Promise.race([reading, stopped.promise]);
      if (chunk === undefined || chunk.done) break;
      for (const { id, event, data } of parseMessages(decoder.decode(chunk.value))) {
        // Breaks before taking over the id: this event is for the next request.
        if (events.length === limit) break;
        lastCursor = id;
        if (event === "ready") hasEarlierEvents = true;
        if (event === undefined || event === "ready" || event === "position") continue;
        events.push({ ...JSON.parse(data), cursor: id, removed: event === "removed" });
      }
      stopInTime();
    }
  } finally {
    for (const signal of [timeout, abort]) signal.removeEventListener("abort", stopInTime);
    // Nobody reads the stream any more.
    await reader.cancel().catch(ignore);
  }
  return lastCursor === undefined
    ? undefined
    : { events, nextCursor: lastCursor, timedOut: events.length === 0 };
}
