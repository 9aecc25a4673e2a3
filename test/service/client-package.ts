import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { programEnvironment } from "./program-environment.ts";

/** Builds the typed client's package from the current sources, as `npm ci` does, and returns the tarball. */
export async function buildClientPackage(): Promise<Buffer> {
  execFileSync(process.execPath, [path.join(projectDir, "tools/client/build.ts")], {
    env: programEnvironment(),
  });
  return await readFile(path.join(projectDir, "client/dist/client.tgz"));
}

/** Installs the tarball at a path or URL into a folder, as a user would, with a registry that never answers. */
export function installWithoutRegistry(folder: string, tarball: string): void {
  // Port 9 discards what it gets, if anything listens there at all.
  const offline = ["--registry", "http://127.0.0.1:9/", "--fetch-retries", "0"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel", "error", "--cache", path.join(folder, ".npm")];
  execFileSync("npm", ["install", ...offline, ...quiet, tarball], { cwd: folder });
}
