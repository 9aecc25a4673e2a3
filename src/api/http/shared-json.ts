import type { Context } from "hono";
import { etagMatches, etagOf } from "./etag.ts";
import { acquireBuffer } from "./response-buffers.ts";
import { streamBytes } from "./stream-bytes.ts";
import { type JsonResponse, typedResponse } from "./typed-response.ts";

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

/** The same for JSON that is serialized already. */
export function shareBytes<Body extends object>(bytes: Uint8Array<ArrayBuffer>): SharedJson<Body> {
  return share(bytes, etagOf(bytes));
}

/** The same for JSON that is serialized already, in parts that several bodies share. They are joined for each response. */
export function shareParts<Body extends object>(
  parts: readonly Uint8Array[],
  etag: string,
): SharedJson<Body> {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const content = (c: Context) => {
    const all = acquireBuffer((c.env as { outgoing?: unknown } | undefined)?.outgoing, bytes);
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
  { content: given, etag }: { content: Content | (() => Content); etag: string },
  cacheControl: string,
): Response {
  const headers = { etag, "cache-control": cacheControl };
  if (etagMatches(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  const type = { "content-type": "application/json" };
  const content = typeof given === "function" ? given() : given;
  if (typeof content === "string" || content.length < minSharedLength) {
    return withPlainBody(c.body(content, 200, { ...headers, ...type }), content);
  }
  const length = { "content-length": String(content.length) };
  return c.body(streamBytes(content), 200, { ...headers, ...type, ...length });
}

/**
 * Makes `response.body` the original value. Ponder's CORS headers make Hono rebuild each response from its body, for which
 * Node would otherwise copy it into a stream.
 */
function withPlainBody(response: Response, body: string | Uint8Array<ArrayBuffer>): Response {
  return Object.defineProperty(response, "body", { value: body });
}
