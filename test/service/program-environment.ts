import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));
/** A cache that lasts from run to run, until Node, the packages or the way our files are compiled change. */
const cacheDir = path.join(projectDir, "node_modules/.cache/test-programs", versions());
mkdirSync(cacheDir, { recursive: true });

/** Makes Node remember where it found the modules of packages: the argument to start it with, and the file it uses. */
export const rememberModules = {
  argument: `--import=${new URL("../run/remember-modules.mjs", import.meta.url).href}`,
  file: path.join(cacheDir, "modules"),
};

/**
 * The only environment variables that a test passes to our programs. The test runner's own environment sets BASE_URL and NODE_ENV,
 * among others.
 */
export function programEnvironment() {
  return {
    ...emptySettings(),
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_OPTIONS: rememberModules.argument,
    MODULES_FILE: rememberModules.file,
    NODE_COMPILE_CACHE: path.join(cacheDir, "compiled"),
  };
}

/**
 * Returns every variable of the file from which our programs read what is not in their environment, but empty, which counts as unset: its
 * database and its image provider may be those of a real installation.
 */
export function emptySettings(file = path.join(projectDir, ".env.local")): Record<string, string> {
  if (!existsSync(file)) return {};
  return Object.fromEntries(Object.keys(parseEnv(readFileSync(file, "utf8"))).map((name) => [name, ""]));
}

function versions(): string {
  // The folder is part of the key, since a copy of the project may include a copy of the cache.
  const hash = createHash("sha256").update(`${process.version} ${projectDir}`);
  for (const name of ["node_modules/.package-lock.json", "tsconfig.json", "vite.config.cts"]) {
    const file = path.join(projectDir, name);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}
