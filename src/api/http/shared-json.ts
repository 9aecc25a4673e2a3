import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Context, TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import { nodeOf } from "./client-ip.ts";
import { etagMatches, etagOf } from "./etag.ts";

/** JSON that is serialized once and sent with many responses. */
export type SharedJson<Body> = {
  etag: string;
  /** Approximate size in memory. */
  bytes: number;
  /** Sends it, or a 304 if the client has it already. */
  send(c: Context, cacheControl: string): JsonResponse<Body>;
};

type Content = string | Uint8Array<ArrayBuffer>;

/** Texts of at least this many characters are stored as bytes that responses share. Shorter ones are faster to send as text. */
const minSharedLength = 512 * 1_024;

/** Serializes a value once, to be sent any number of times. */
export function shareJson<Body extends object>(body: Body): SharedJson<Body> {
  const text = JSON.stringify(body);
  const isLong = text.length >= minSharedLength;
  return share(isLong ? new TextEncoder().encode(text) : text, etagOf(text));
}

/** Shares the bytes of JSON that is serialized already. */
export function shareBytes<Body extends object>(bytes: Uint8Array<ArrayBuffer>): SharedJson<Body> {
  return share(bytes, etagOf(bytes));
}

/** Shares JSON that is serialized already, in parts that several bodies share. They are joined for each response. */
export function shareParts<Body extends object>(
  parts: readonly Uint8Array[],
  etag: string,
): SharedJson<Body> {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const content = (c: Context) => {
    const all = acquireBuffer(nodeOf(c).outgoing, bytes);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  };
  return {
    etag,
    bytes,
    send: (c, cacheControl) =>
      typedResponse<Body>(sendJson(c, { content: () => content(c), etag }, cacheControl)),
  };
}

function share<Body>(content: Content, etag: string): SharedJson<Body> {
  return {
    etag,
    bytes: typeof content === "string" ? 2 * content.length : content.length,
    send: (c, cacheControl) => typedResponse<Body>(sendJson(c, { content, etag }, cacheControl)),
  };
}

/** Sends serialized JSON, or a 304 if the client has it already. */
export function sendJson(
  c: Context,
  { content: source, etag }: { content: Content | (() => Content); etag: string },
  cacheControl: string,
): Response {
  const headers = {
    etag,
    "cache-control": cacheControl,
    "content-type": "application/json",
    vary: "Accept-Encoding",
  };
  if (etagMatches(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  const content = typeof source === "function" ? source() : source;
  if (typeof content === "string" || content.length < minSharedLength) {
    return withPlainBody(c.body(content, 200, headers), content);
  }
  const length = { "content-length": String(content.length) };
  return c.body(streamBytes(content), 200, { ...headers, ...length });
}

/**
 * Makes `response.body` the original value. Ponder's CORS headers make Hono rebuild each response from its body, for which
 * Node would otherwise copy it into a stream.
 */
export function withPlainBody(response: Response, body: string | Uint8Array<ArrayBuffer>): Response {
  return Object.defineProperty(response, "body", { value: body });
}

/** A 200 response whose JSON is a `Body`, as a route's contract requires it. */
export type JsonResponse<Body> = Response & TypedResponse<JSONParsed<Body>, 200, "json">;

/**
 * Types a response by the value that was serialized into it. This is the only cast between handlers and contracts: use it
 * only in a helper that serializes a `Body`, or its entries, itself. Handlers return `c.json` or use such a helper.
 */
export function typedResponse<Body>(response: Response): JsonResponse<Body> {
  return response as JsonResponse<Body>;
}

const minBytes = 16 * 1_024;
const maxBytes = 1_024 * 1_024;
/** The most idle buffers kept of each size, in bytes. The garbage collector gets the others. */
const maxIdleBytes = 4 * 1_024 * 1_024;

/** Idle buffers by size, a power of two. */
const idle = new Map<number, Buffer<ArrayBuffer>[]>();

/**
 * Returns a buffer to fill and send with this response. Once the operating system has taken all of it, other responses
 * reuse it: thousands of new buffers a second would cause several major garbage collections a second, each of which stalls
 * every request.
 *
 * @param response Node's `ServerResponse`, or anything else if there is no Node server
 */
export function acquireBuffer(response: unknown, length: number): Buffer<ArrayBuffer> {
  const isReusable = response instanceof ServerResponse && response.socket instanceof Socket;
  if (!isReusable || length < minBytes / 2 || length > maxBytes) return Buffer.allocUnsafe(length);
  const size = Math.max(minBytes, 2 ** Math.ceil(Math.log2(length)));
  const ofSize = idle.get(size) ?? [];
  idle.set(size, ofSize);
  const bytes = ofSize.pop() ?? Buffer.allocUnsafeSlow(size);
  // An aborted response never finishes: its buffer is not reused.
  response.once("finish", () => {
    if (ofSize.length < maxIdleBytes / size) ofSize.push(bytes);
  });
  return bytes.subarray(0, length);
}

const chunkBytes = 64 * 1_024;

/**
 * Resolves for one download per tick of the event loop. As long as the kernel takes the bytes, writing them never waits, so all
 * downloads together would hold up every other request.
 */
let turn: Promise<void> = Promise.resolve();
function nextTurn(): Promise<void> {
  turn = turn.then(() => yieldToEventLoop());
  return turn;
}

/** Streams shared bytes in chunks, as fast as the client reads them. Sent in one piece, each response would hold a copy. */
export function streamBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = 0;
  let isCancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        await nextTurn();
        if (isCancelled) return;
        controller.enqueue(bytes.subarray(sent, sent + chunkBytes));
        sent += chunkBytes;
        if (sent >= bytes.length) controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
}
