import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";

/** A 304 keeps what scripts on other sites and clients that count their requests need, as the 200 would have it. */
const retainedHeaders = [
  ...RETAINED_304_HEADERS,
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "RateLimit",
  "RateLimit-Policy",
  "X-Content-Type-Options",
];

const answerIfChanged = etag({ retainedHeaders });

/**
 * For a route whose clients ask again whether anything has changed: tags the response by its content, and answers 304 to
 * an If-None-Match that names the tag.
 */
export function revalidated(cacheControl = "no-cache"): MiddlewareHandler {
  return async (c, next) =>
    await answerIfChanged(c, async () => {
      c.header("Cache-Control", cacheControl);
      await next();
    });
}

/** A validator of exactly this text. */
export function etagOf(text: string): string {
  return `"${createHash("sha1").update(text).digest("base64url")}"`;
}

/**
 * Whether an If-None-Match header names the tag, by weak comparison (RFC 9110, 13.1.2): a proxy that compresses a response
 * makes its validator a weak one.
 */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(",")
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === "*" || candidate === etag);
}
