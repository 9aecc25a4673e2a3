import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));
/** Kept from one run to the next, for as long as Node, the packages and the way that our files are compiled stay the same. */
const kept = path.join(projectDir, "node_modules/.cache/test-programs", versions());
mkdirSync(kept, { recursive: true });

/** What lets Node remember where the modules of packages are, and in which file. */
export const rememberModules = {
  argument: `--import=${new URL("../run/remember-modules.mjs", import.meta.url).href}`,
  file: path.join(kept, "modules"),
};

/**
 * What every program of ours that a test starts gets of the environment, and nothing else: the test runner's own sets BASE_URL and
 * NODE_ENV among others.
 */
export function programEnvironment() {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_OPTIONS: rememberModules.argument,
    MODULES_FILE: rememberModules.file,
    NODE_COMPILE_CACHE: path.join(kept, "compiled"),
  };
}

function versions(): string {
  // The folder too, since a copy of the project may have a copy of what is kept.
  const hash = createHash("sha256").update(`${process.version} ${projectDir}`);
  for (const name of ["node_modules/.package-lock.json", "tsconfig.json", "vite.config.cts"]) {
    const file = path.join(projectDir, name);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}
