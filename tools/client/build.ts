import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { packageFiles } from "./package-files.ts";

/*
 * Builds the client's package for `npm ci` and `npm run client:build`: its files in client/dist, and client/dist/client.tgz, which the
 * service serves. The same version gives the same bytes.
 */

const projectDir = fileURLToPath(new URL("../..", import.meta.url));
const clientDir = path.join(projectDir, "client");

const files = packageFiles(projectDir);
const tarball = await packFiles(files);
// What is served already is not touched.
if (!isBuilt()) {
  rmSync(path.join(clientDir, "dist"), { recursive: true, force: true });
  for (const [name, text] of builtFiles()) {
    mkdirSync(path.dirname(path.join(clientDir, name)), { recursive: true });
    writeFileSync(path.join(clientDir, name), text);
  }
}

/** The files that don't come from client/ itself, and the tarball at the end. */
function* builtFiles(): Generator<[string, string | Uint8Array]> {
  for (const [name, text] of files) if (name.startsWith("dist/")) yield [name, text];
  yield ["dist/client.tgz", tarball];
}

function isBuilt(): boolean {
  try {
    return [...builtFiles()].every(([name, content]) =>
      readFileSync(path.join(clientDir, name)).equals(Buffer.from(content)),
    );
  } catch {
    return false;
  }
}

async function packFiles(contents: Map<string, string>): Promise<Uint8Array> {
  const archive = pack();
  // npm's time for each file of a package.
  const mtime = new Date("1985-10-26T08:15:00Z");
  for (const [name, text] of contents) archive.entry({ name: `package/${name}`, mode: 0o644, mtime }, text);
  archive.finalize();
  return gzipSync(await buffer(archive), { level: 9 });
}
