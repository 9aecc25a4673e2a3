import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Context, Hono } from "hono";
import { etagMatches, etagOf } from "../http/etag.ts";
import { problemResponse } from "../http/problem.ts";
import { streamBytes } from "../http/shared-json.ts";
import { createBuildReader } from "../http/static-files.ts";

/** The typed client as an npm package, and its SHA-256. */
export const clientPackagePaths = ["/client.tgz", "/client.tgz.sha256"];

type ServedFile = { type: string; bytes: Uint8Array; etag: string };

/** Built from client/ by `npm ci`. */
const builtTarball = fileURLToPath(new URL("../../../client/dist/client.tgz", import.meta.url));

/** Serves the typed client, so that programs can install the version that matches the service. */
export function createClientPackage(tarball = builtTarball): Hono {
  const readFiles = createBuildReader(tarball, readBuilt);
  const app = new Hono();
  for (const path of clientPackagePaths) {
    app.get(path, async (c) => {
      const file = (await readFiles())?.get(path);
      return file === undefined ? notBuilt(c) : sendFile(c, file);
    });
  }
  return app;
}

async function readBuilt(tarball: string): Promise<Map<string, ServedFile>> {
  const bytes = await readFile(tarball);
  // The form that `sha256sum -c` reads.
  const checksum = Buffer.from(`${createHash("sha256").update(bytes).digest("hex")}  client.tgz\n`);
  return new Map([
    ["/client.tgz", { type: "application/gzip", bytes, etag: etagOf(bytes) }],
    ["/client.tgz.sha256", { type: "text/plain; charset=utf-8", bytes: checksum, etag: etagOf(checksum) }],
  ]);
}

function sendFile(c: Context, { type, bytes, etag }: ServedFile): Response {
  // Caches must ask each time: after an upgrade, an old checksum would contradict the new package.
  const headers = { "cache-control": "public, no-cache", etag };
  if (etagMatches(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  const length = String(bytes.length);
  return c.body(streamBytes(bytes), 200, { ...headers, "content-type": type, "content-length": length });
}

function notBuilt(c: Context): Response {
  return problemResponse(c, {
    status: 503,
    code: "client_not_built",
    title: "The client is not built",
    detail: "Run npm run client:build, which npm ci does too.",
  });
}
