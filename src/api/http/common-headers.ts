import { createHash } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";

/** Our response headers that scripts on other sites may read. Ponder's CORS middleware already lets them send requests. */
const exposedHeaders = [
  "ETag",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Index-Block",
  "X-Request-Id",
  "X-Truncated",
].join(", ");

/** Headers of every response, unless a route sets its own: exposes our headers, and turns off MIME sniffing, frames and referrers. */
export const commonHeaders = {
  "access-control-expose-headers": exposedHeaders,
  "content-security-policy": "frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export const setCommonHeaders: MiddlewareHandler = async (c, next) => {
  for (const [name, value] of Object.entries(commonHeaders)) c.header(name, value);
  await next();
};

/**
 * Sets the headers of a page before it is answered: those of an answer would not replace common headers, because Hono gives the
 * ones that were set first precedence.
 */
export function setPageHeaders(c: Context, headers: Record<string, string>): void {
  c.header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/** A page of a tool of others that we serve with its files. */
type ToolPage = {
  html: string;
  /** The inline script that starts the tool. */
  script: string;
  /** Origins that the tool may send requests to, besides our own. */
  origins?: string[];
};

/**
 * The returned function responds with the page, and a Content-Security-Policy by which only our files and this script run. The tools
 * add styles and pictures of their own.
 */
export function createToolPage({ html, script, origins = [] }: ToolPage) {
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return (c: Context) => {
    setPageHeaders(c, { "Content-Security-Policy": policy });
    return c.html(html);
  };
}

/** Adds X-Index-Block, the last block that the response is known to reflect, if that is known. */
export function setIndexBlock(c: Context, chainId: number, block: number | undefined): void {
  if (block !== undefined) c.header("X-Index-Block", `${chainId}:${block}`);
}
