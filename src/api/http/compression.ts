import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import type { Context, MiddlewareHandler } from "hono";
import { accepts } from "hono/accepts";
import { withPlainBody } from "./shared-json.ts";

/** The first of these encodings that the client accepts; `identity` if it accepts none. */
export function chooseEncoding<Encoding extends string>(
  c: Context,
  encodings: readonly Encoding[],
): Encoding | "identity" {
  const accepted = accepts(c, {
    header: "Accept-Encoding",
    supports: [...encodings],
    default: "identity",
    match: (accepted) => {
      const quality = (encoding: string) =>
        (accepted.find(({ type }) => type === encoding) ?? accepted.find(({ type }) => type === "*"))?.q ?? 0;
      return encodings.find((encoding) => quality(encoding) > 0) ?? "identity";
    },
  });
  return encodings.find((encoding) => encoding === accepted) ?? "identity";
}

type Plain = string | Uint8Array<ArrayBuffer>;

/** The cheapest level of each, because answers are compressed one by one. In the order in which they are preferred. */
const compressors = {
  zstd: (body: Plain) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body: Plain) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body: Plain) => gzipSync(body, { level: 1 }),
};
const encodings = Object.keys(compressors) as (keyof typeof compressors)[];

/** Shorter bodies fit in a few packets as they are. */
const minBytes = 2_048;

/**
 * Compresses JSON for clients that accept it, whose ETags are weak: they name data, not bytes (RFC 9110, 8.8.1). What is sent in parts
 * stays as it is; it has a `Transfer-Encoding` or a `Content-Length`.
 */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next();
  const { status, headers } = c.res;
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  if (!isJson && status !== 304) return;
  if (["content-length", "transfer-encoding"].some((name) => headers.has(name))) return;
  headers.append("Vary", "Accept-Encoding");
  const encoding = chooseEncoding(c, encodings);
  if (encoding === "identity") return;
  const etag = headers.get("ETag");
  if (etag !== null && !etag.startsWith("W/")) headers.set("ETag", `W/${etag}`);
  if (status === 304) return;
  // What withPlainBody has kept as it is need not be read.
  const kept = c.res.body as Plain | ReadableStream | null;
  const isKept = kept !== null && !(kept instanceof ReadableStream);
  const body = isKept ? kept : await c.res.text();
  const isLong = body.length >= minBytes;
  if (isKept && !isLong) return;
  if (isLong) headers.set("Content-Encoding", encoding);
  const sent = isLong ? compressors[encoding](body) : body;
  // Otherwise Hono would add the headers of the one before.
  c.res = undefined;
  c.res = withPlainBody(new Response(sent, { status, headers }), sent);
};
