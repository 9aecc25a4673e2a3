import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { projectDir } from "../../runtime/ponder/ponder.ts";

const cacheDir = path.join(projectDir, "node_modules/.cache");

/**
 * Installs a package that only long tests need, and that is too large to be a dependency. It stays for the next run. Its install
 * scripts don't run.
 *
 * @param spec name and exact version, such as `bun@1.4.5`
 * @returns the folder that it is installed in, with its `node_modules`
 */
export async function installNpmProgram(spec: string): Promise<string> {
  const folder = path.join(cacheDir, spec.replace("/", "+"));
  if (existsSync(folder)) return folder;
  await mkdir(cacheDir, { recursive: true });
  // Elsewhere first, so that an interrupted installation is not taken for a complete one.
  const incomplete = await mkdtemp(`${folder}-`);
  try {
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    execFileSync("npm", ["install", "--prefix", incomplete, ...flags, spec]);
    await rename(incomplete, folder);
  } catch (error) {
    // Another test may have installed it meanwhile.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(incomplete, { recursive: true, force: true });
  }
  return folder;
}
