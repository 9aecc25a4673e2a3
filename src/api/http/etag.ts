import { createHash } from "node:crypto";
import type { Context } from "hono";

/** A validator of exactly this text. */
export function etagOf(body: string): string {
  return `"${createHash("sha1").update(body).digest("base64url")}"`;
}

/**
 * Answers with JSON text, or with 304 where the client has it already. Bytes are shared by all who get them, and sent in parts as
 * they are read: as a whole, the response would have a copy of its own.
 */
export function jsonWithEtag(
  c: Context,
  body: string | Uint8Array<ArrayBuffer>,
  etag: string,
  cacheControl: string,
): Response {
  const headers = { etag, "cache-control": cacheControl };
  if (etagMatches(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  const type = { "content-type": "application/json; charset=utf-8" };
  if (typeof body === "string") return c.body(body, 200, { ...headers, ...type });
  return c.body(inParts(body), 200, { ...headers, ...type, "content-length": String(body.length) });
}

const partBytes = 64 * 1_024;

function inParts(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + partBytes));
        sent += partBytes;
        if (sent >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Answers with JSON of what is true now, which the client asks about again each time. Typed so that it fits every route,
 * whose answers the tests hold against its schema.
 */
export function freshJson(c: Context, content: object): never {
  const body = JSON.stringify(content);
  return jsonWithEtag(c, body, etagOf(body), "no-cache") as never;
}

/** Whether an If-None-Match header names the tag, by weak comparison, as RFC 9110, 13.1.2 asks for: a proxy that compressed the answer made the validator a weak one. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(",")
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === "*" || candidate === etag);
}
