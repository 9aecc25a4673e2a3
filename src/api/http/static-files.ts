import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context, Handler } from "hono";
import { chooseEncoding } from "./compression.ts";
import { etagMatches } from "./etag.ts";
import { streamBytes } from "./shared-json.ts";

export type StaticFile = {
  path: string;
  type: string;
  /** Whether brotli (.br) and gzip (.gz) variants lie beside the file. If not, it is compressed when loaded. */
  isCompressed?: boolean;
};

/** A file's bytes in each encoding, shared by all responses. */
type Loaded = { etag: string; encodings: Record<Encoding, Uint8Array<ArrayBuffer>> };

/** The smallest first. */
const encodings = ["br", "gzip", "identity"] as const;
type Encoding = (typeof encodings)[number];

/**
 * Serves exactly these files at /:version/:name.
 *
 * @param version must match the one in the path, so that browsers never cache one version under the URL of another
 */
export function serveStaticFiles(version: string, files: Record<string, StaticFile>): Handler {
  const byPath = new Map(Object.entries(files));
  const serve = createFileServer();
  return async (c, next) => {
    const file = byPath.get(c.req.param("name") ?? "");
    if (file === undefined || c.req.param("version") !== version) return await next();
    return await serve(c, file);
  };
}

/** Serves files whose content never changes at their URL. Each is loaded, and compressed if necessary, on its first request. */
export function createFileServer(): (c: Context, file: StaticFile) => Promise<Response> {
  const loading = new Map<string, Promise<Loaded>>();

  function load(file: StaticFile): Promise<Loaded> {
    const loaded = loading.get(file.path) ?? loadFile(file);
    loading.set(file.path, loaded);
    loaded.catch(() => loading.delete(file.path));
    return loaded;
  }

  return async (c, file) => {
    const loaded = await load(file);
    const encoding = chooseEncoding(c, encodings);
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

async function loadFile({ path, isCompressed = false }: StaticFile): Promise<Loaded> {
  const identity = await readFile(path);
  const [br, gzipped] = await Promise.all(
    isCompressed ? [readFile(`${path}.br`), readFile(`${path}.gz`)] : compress(identity),
  );
  const etag = createHash("sha1").update(identity).digest("base64url");
  return { etag, encodings: { br: br ?? identity, gzip: gzipped ?? identity, identity } };
}

const compress = (bytes: Uint8Array) => [
  // The highest quality, 11, takes ten times as long to save a few percent.
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  promisify(gzip)(bytes, { level: 9 }),
];

/**
 * The returned function reads what a build has written, again after each build; it resolves to undefined if there is no build.
 *
 * @param file is written last by each build
 */
export function createBuildReader<Built>(
  file: string,
  read: (file: string) => Promise<Built>,
): () => Promise<Built | undefined> {
  let cached: { builtAt: number; built: Promise<Built> } | undefined;
  return async () => {
    const builtAt = (await stat(file).catch(() => undefined))?.mtimeMs;
    if (builtAt === undefined) return undefined;
    if (cached?.builtAt !== builtAt) cached = { builtAt, built: read(file) };
    return cached.built.catch(() => {
      // A build is in progress.
      cached = undefined;
      return undefined;
    });
  };
}

/** Returns the folder of an installed npm package. Throws if it is not installed. */
export function packageFolder(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`the package ${name} is not installed: run npm ci`);
  return path.dirname(manifest);
}

export function packageVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(path.join(packageFolder(name), "package.json"), "utf8"));
  return String(manifest.version);
}
