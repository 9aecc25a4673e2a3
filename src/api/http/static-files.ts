import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Handler } from "hono";
import { accepts } from "hono/accepts";
import { etagMatches } from "./etag.ts";
import { streamBytes } from "./stream-bytes.ts";

export type StaticFile = { path: string; type: string };

/** The bytes of a file in each encoding, shared by all answers. */
type Loaded = { etag: string; encodings: Record<Encoding, Uint8Array<ArrayBuffer>> };

const encodings = ["br", "gzip", "identity"] as const;
type Encoding = (typeof encodings)[number];

/**
 * Serves files at /:version/:name, by their names and nothing else. Each is read and compressed once, on its first request.
 *
 * @param version must match the path, so that browsers never cache one version under the URL of another
 */
export function serveStaticFiles(version: string, files: Record<string, StaticFile>): Handler {
  const known = new Map(Object.entries(files));
  const loading = new Map<string, Promise<Loaded>>();

  function load(name: string, { path }: StaticFile): Promise<Loaded> {
    const loaded = loading.get(name) ?? read(path);
    loading.set(name, loaded);
    loaded.catch(() => loading.delete(name));
    return loaded;
  }

  return async (c, next) => {
    const name = c.req.param("name") ?? "";
    const file = known.get(name);
    if (file === undefined || c.req.param("version") !== version) return await next();
    const loaded = await load(name, file);
    const encoding = accepts(c, {
      header: "Accept-Encoding",
      supports: [...encodings],
      default: "identity",
      match: chooseEncoding,
    }) as Encoding;
    const etag = `"${loaded.etag}-${encoding}"`;
    const headers = {
      etag,
      vary: "Accept-Encoding",
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": `${file.type}; charset=utf-8`,
    };
    if (etagMatches(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    if (encoding !== "identity") c.header("content-encoding", encoding);
    const bytes = loaded.encodings[encoding];
    return c.body(streamBytes(bytes), 200, { ...headers, "content-length": String(bytes.length) });
  };
}

/** The smallest form that the client takes. */
function chooseEncoding(accepted: { type: string; q: number }[]): string {
  const takes = (encoding: string) =>
    (accepted.find(({ type }) => type === encoding) ?? accepted.find(({ type }) => type === "*"))?.q ?? 0;
  return encodings.find((encoding) => takes(encoding) > 0) ?? "identity";
}

async function read(path: string): Promise<Loaded> {
  const identity = await readFile(path);
  const [br, gzipped] = await Promise.all([
    // The highest quality, 11, takes ten times as long for a few percent.
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  const etag = createHash("sha1").update(identity).digest("base64url");
  return { etag, encodings: { br, gzip: gzipped, identity } };
}
