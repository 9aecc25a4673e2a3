import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { Context, MiddlewareHandler } from "hono";
import { accepts } from "hono/accepts";
import { etagVaries, varyByEncoding } from "./etag.ts";
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
type Compressed = Buffer<ArrayBuffer>;

/** The cheapest level of each, because answers are compressed one by one. */
const zstdOptions = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzipOptions = { level: 1 };

/** In the order in which they are preferred. */
const compressors = {
  zstd: (body: Plain) => zlib.zstdCompressSync(body, zstdOptions),
  br: (body: Plain) => zlib.brotliCompressSync(body, brotliOptions),
  gzip: (body: Plain) => zlib.gzipSync(body, gzipOptions),
};
const encodings = Object.keys(compressors) as (keyof typeof compressors)[];

const zstdInPool = promisify<Plain, zlib.ZstdOptions, Compressed>(zlib.zstdCompress);
const brotliInPool = promisify<Plain, zlib.BrotliOptions, Compressed>(zlib.brotliCompress);
const gzipInPool = promisify<Plain, zlib.ZlibOptions, Compressed>(zlib.gzip);

/** In Node's thread pool, for what would hold up other requests. */
const poolCompressors = {
  zstd: (body: Plain) => zstdInPool(body, zstdOptions),
  br: (body: Plain) => brotliInPool(body, brotliOptions),
  gzip: (body: Plain) => gzipInPool(body, gzipOptions),
};

/** Shorter bodies fit in a few packets as they are. */
const minBytes = 2_048;
/** Longer ones take more than two milliseconds. */
const maxInlineBytes = 256 * 1_024;

/**
 * Compresses answers of a type for clients that accept it, whose ETags are weak: they name data, not bytes (RFC 9110, 8.8.1), in a 304 too. What is
 * sent in parts stays as it is; it has a `Transfer-Encoding` or a `Content-Length`.
 */
const compressType =
  (type: string): MiddlewareHandler =>
  async (c, next) => {
    await next();
    const { status, headers } = c.res;
    const isOfType = headers.get("content-type")?.startsWith(type) === true;
    if (!isOfType && !(status === 304 && etagVaries(headers))) return;
    varyByEncoding(headers);
    const encoding = chooseEncoding(c, encodings);
    if (encoding === "identity") return;
    const etag = headers.get("ETag");
    if (etag !== null && !etag.startsWith("W/")) headers.set("ETag", `W/${etag}`);
    if (status === 304 || ["content-length", "transfer-encoding"].some((name) => headers.has(name))) return;
    // What withPlainBody has kept as it is need not be read.
    const kept = c.res.body as Plain | ReadableStream | null;
    const isKept = kept !== null && !(kept instanceof ReadableStream);
    const body = isKept ? kept : await c.res.text();
    const isLong = body.length >= minBytes;
    if (isKept && !isLong) return;
    if (isLong) headers.set("Content-Encoding", encoding);
    const compress = (body.length > maxInlineBytes ? poolCompressors : compressors)[encoding];
    const sent = isLong ? await compress(body) : body;
    // Otherwise Hono would add the headers of the one before.
    c.res = undefined;
    c.res = withPlainBody(new Response(sent, { status, headers }), sent);
  };

export const compressJson = compressType("application/json");
export const compressPage = compressType("text/html");
