import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../config/error-code.ts";
import { flush } from "../../config/flush.ts";
import { bareEnvironment } from "../../config/process-environment.ts";
import { startChild } from "../process/child-process.ts";
import type { GroupReaper } from "../process/group-reaper.ts";
import { diskFullError, isDiskFull, StartError } from "../start-error.ts";
import { adviceOnLibraries, type Binaries, majorVersion } from "./binaries.ts";
import { ROLES } from "./database.ts";
import type { ServerUser } from "./server-user.ts";

/**
 * Settings of a new cluster, written to its `postgresql.conf`, where an operator can change them. Settings that the service
 * relies on are passed on the command line at every start instead.
 */
const SETTINGS = {
  max_connections: "200",
  shared_buffers: "256MB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  max_wal_size: "2GB",
  random_page_cost: "1.1",
  // Queries are short: compiling one costs more than it saves.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

const STAGING = "new-";

export type ClusterOptions = {
  home: string;
  user: ServerUser | undefined;
  binaries: Binaries;
  /** The superuser's password. */
  password: string;
  durable: boolean;
  reaper: GroupReaper | undefined;
  signal: AbortSignal | undefined;
};

/** Whether the home contains a database. Throws a StartError if another major version of Postgres created it. */
export async function hasCluster(home: string, binaries: Binaries): Promise<boolean> {
  const file = path.join(home, "cluster", "PG_VERSION");
  let version: string;
  try {
    version = (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await assertNoFiles(path.join(home, "cluster"));
    return false;
  }
  if (version === majorVersion(binaries)) return true;
  throw new StartError(
    `the data in ${home} was made by PostgreSQL ${version} and this is ${majorVersion(binaries)}: dump it with ${version} and restore it here, or set DATA_DIR to another folder`,
    { code: "wrong-version" },
  );
}

/** Creates a database cluster atomically: an interruption at any point leaves none behind. */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const { home, user } = options;
  await removeUnfinished(home);
  const staging = await mkdtemp(path.join(home, STAGING));
  try {
    const passwordFile = path.join(staging, "password");
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
    const folder = path.join(staging, "cluster");
    await mkdir(folder, { mode: 0o700 });
    for (const file of user === undefined ? [] : [staging, passwordFile, folder]) {
      await chown(file, (user as ServerUser).uid, (user as ServerUser).gid);
    }
    await runInitdb(options, folder, passwordFile);
    await rename(folder, path.join(home, "cluster"));
    await flush(home);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runInitdb(options: ClusterOptions, folder: string, passwordFile: string): Promise<void> {
  const { user, binaries, durable, reaper, signal } = options;
  const args = [
    `--pgdata=${folder}`,
    `--username=${ROLES.admin}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    // Postgres's built-in C.UTF-8 sorts by code point on every machine, so no library update can change the order and corrupt
    // indexes. Unlike plain C, it also knows upper and lower case beyond ASCII.
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    ...Object.entries(SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
    ...(durable ? [] : ["--no-sync"]),
  ];
  const env = bareEnvironment({ LC_ALL: "C" });
  // Standard output has only what it does at the moment.
  const errors: string[] = [];
  const onLine = (line: string, stream: string) => void (stream === "stderr" && errors.push(line));
  const childOptions = { cwd: "/", env, user, onLine, stopTimeoutMs: 2_000 };
  const child = startChild(binaries.initdb, args, childOptions, reaper);
  const abort = () => void child.stop();
  signal?.addEventListener("abort", abort);
  const exit = await child.exited;
  signal?.removeEventListener("abort", abort);
  signal?.throwIfAborted();
  if (exit.code === 0) return;
  // Without any, it could not be run.
  const lines = errors.length > 0 ? errors : child.lastLines();
  const output = lines.join("\n");
  if (isDiskFull(output)) throw diskFullError(options.home);
  const reason = lines.findLast((line) => /error|FATAL|PANIC/.test(line)) ?? lines.join("; ");
  throw new StartError(
    `cannot make a database in ${options.home}: ${reason || `initdb ended with ${exit.signal ?? exit.code}`}${adviceOnLibraries(output)}`,
  );
}

async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(STAGING))
      await rm(path.join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function assertNoFiles(cluster: string): Promise<void> {
  try {
    if ((await readdir(cluster)).length === 0) return;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  throw new StartError(
    `${cluster} has files in it but is no Postgres database (PG_VERSION is missing): move them, or set DATA_DIR to another folder`,
    { code: "wrong-version" },
  );
}
