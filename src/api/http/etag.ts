import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";

/** The headers that a 304 keeps: the standard ones, and those for CORS and rate limits, which clients need there too. */
const retainedHeaders = [
  ...RETAINED_304_HEADERS,
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "RateLimit",
  "RateLimit-Policy",
  "X-Content-Type-Options",
  "X-Index-Block",
];

/** Hashes synchronously: Web Crypto, the middleware's default, queues a job for the thread pool for each body. */
const generateDigest = (body: Uint8Array) => new Uint8Array(createHash("sha1").update(body).digest()).buffer;

const etagMiddleware = etag({ retainedHeaders, generateDigest });

/**
 * Adds an ETag computed from the body, and responds with 304 if If-None-Match names it. For routes that clients poll.
 *
 * @param cacheControl is of answers alone: a problem keeps its own
 */
export function withEtag(cacheControl = "no-cache"): MiddlewareHandler {
  return async (c, next) => {
    let type = "";
    await etagMiddleware(c, async () => {
      await next();
      const { ok, headers } = c.res;
      if (ok) headers.set("Cache-Control", cacheControl);
      varyByEncoding(headers);
      type = headers.get("Content-Type") ?? "";
    });
    // Node's server calls an answer without a type a text, and a cache would take that over for the answer that it has.
    if (c.res.status === 304 && type !== "") c.res.headers.set("Content-Type", type);
  };
}

/** Says that the response depends on the encodings that the client accepts, as that of JSON does. */
export function varyByEncoding(headers: Headers): void {
  if (!etagVaries(headers)) headers.append("Vary", "Accept-Encoding");
}

/** Whether a response depends on the encodings that the client accepts: its ETag is weak for those who accept some. */
export const etagVaries = (headers: Headers) => headers.get("Vary")?.includes("Accept-Encoding") === true;

/** Returns a strong ETag for this body. */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash("sha1").update(body).digest("base64url")}"`;
}

/** Whether an If-None-Match header names the tag, by weak comparison (RFC 9110, 13.1.2), since compression weakens ETags. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(",")
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === "*" || candidate === etag);
}
