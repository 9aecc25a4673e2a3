import { realpath } from "node:fs/promises";
import path from "node:path";
import {
  assertFreeSpace,
  assertPortFree,
  EXISTING_DATABASE_BYTES,
  NEW_DATABASE_BYTES,
} from "../checks/host.ts";
import type { Exit, Running } from "../process/child-process.ts";
import type { GroupReaper } from "../process/group-reaper.ts";
import { fileError, StartError } from "../start-error.ts";
import { defaultCopyDir, findBinaries } from "./binaries.ts";
import { createCluster, hasCluster } from "./cluster.ts";
import {
  choosePort,
  PASSWORD_FILES,
  prepareDataHome,
  prepareLog,
  readOrCreatePasswords,
  rememberPort,
} from "./data-home.ts";
import { databaseUrl, ROLES } from "./database.ts";
import { acquireInstanceLock, type InstanceLock } from "./instance-lock.ts";
import { ensureRoles } from "./roles.ts";
import {
  clearOrphan,
  launchServer,
  readLog,
  type ServerOptions,
  type ServerProcess,
} from "./server-process.ts";

export type PostgresOptions = {
  /** The folder for the data, the passwords, the port and the log. Created if missing. */
  dataDir: string;
  /** Default: the port of the last start, or any free one. */
  port?: number;
  log?: (line: string) => void;
  /** False is faster, for tests: a power cut may lose or corrupt the data. Default true. */
  durable?: boolean;
  /** Aborts the start, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Ends the server when this process is killed. */
  reaper?: GroupReaper;
  /** Bytes that must be free on the disk. Default 200 MB for a new database, 64 MB for an existing one. */
  minimumFreeBytes?: number;
  /** Where root keeps the data if the server's user can't reach `dataDir`. */
  sharedDir?: string;
};

export type RunningPostgres = Running & {
  /** Connects as the owner of the service's tables, for writing. */
  url: string;
  /** Connects as the role that the service reads with. */
  readUrl: string;
  /** Connects as the role that clients' SQL runs as. */
  sqlUrl: string;
  /** Connects as the role for people. */
  analystUrl: string;
  /** The files with the passwords of `analystUrl`'s and of `url`'s role. */
  analystPasswordFile: string;
  ownerPasswordFile: string;
  /** Connects as the superuser, for tests and benchmarks. The service itself uses it during the start only. */
  adminUrl: string;
  port: number;
  pid: number;
  /** The real path of the data folder. */
  home: string;
  kill(): void;
  lastLines(): string[];
};

const STOP_MS = 4_000;
const PORT_ATTEMPTS = 3;

/**
 * Starts the embedded Postgres on loopback with the data of earlier starts, and resolves once the database `launchpad` can be
 * used. Throws a StartError, whose message is one line for the user.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dataDir = path.resolve(options.dataDir);
  const { log = () => {}, sharedDir = "/var/lib/launchpad-indexer" } = options;
  if (dataDir.includes("\n"))
    throw new StartError("the path of the data folder has a line break in it", { code: "unsupported" });
  options.signal?.throwIfAborted();
  if (options.port !== undefined) await assertPortFree(options.port, "Postgres");

  const { home, user } = await prepareDataHome(dataDir, sharedDir, log);
  try {
    const binaries = await findBinaries(user, defaultCopyDir(user, sharedDir));
    const lock = await acquireInstanceLock(home, dataDir);
    try {
      return await startInHome({ ...options, log }, lock, { home, user, binaries });
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw fileError(error, dataDir);
  }
}

async function startInHome(
  options: PostgresOptions & { log: (line: string) => void },
  lock: InstanceLock,
  place: Pick<ServerOptions, "home" | "user" | "binaries">,
): Promise<RunningPostgres> {
  const { durable = true, signal, reaper, log, minimumFreeBytes } = options;
  const { home, binaries } = place;
  const isNew = !(await hasCluster(home, binaries));
  await assertFreeSpace(home, minimumFreeBytes ?? (isNew ? NEW_DATABASE_BYTES : EXISTING_DATABASE_BYTES));
  const passwords = await readOrCreatePasswords(home);
  if (isNew) await createCluster({ ...place, password: passwords.admin, durable, reaper, signal });

  const cluster = await realpath(path.join(home, "cluster"));
  await clearOrphan(cluster, lock.foundStale, log);
  const logFile = await prepareLog(home);
  const server = await launchOnFreePort(
    { ...place, cluster, logFile, durable, reaper, signal },
    options.port,
  );
  try {
    await ensureRoles(server.port, passwords);
    await rememberPort(home, server.port);
    signal?.throwIfAborted();
  } catch (error) {
    await server.stop(STOP_MS);
    throw error;
  }
  const tail = { lines: [] as string[] };
  const exited = server.exited.then(async (exit: Exit) => {
    tail.lines = (await readLog(logFile)).split("\n").filter((line) => line.trim() !== "");
    await lock.release();
    return exit;
  });
  return {
    url: databaseUrl(server.port, ROLES.owner, passwords.owner),
    readUrl: databaseUrl(server.port, ROLES.api, passwords.api),
    sqlUrl: databaseUrl(server.port, ROLES.sql, passwords.sql),
    analystUrl: databaseUrl(server.port, ROLES.reader, passwords.reader),
    analystPasswordFile: path.resolve(options.dataDir, PASSWORD_FILES.reader),
    ownerPasswordFile: path.resolve(options.dataDir, PASSWORD_FILES.owner),
    adminUrl: databaseUrl(server.port, ROLES.admin, passwords.admin),
    port: server.port,
    pid: server.pid,
    home,
    exited,
    lastLines: () => tail.lines,
    kill: () => void server.stop(0),
    async stop({ timeoutMs = STOP_MS } = {}) {
      await server.stop(timeoutMs);
      await exited;
    },
  };
}

async function launchOnFreePort(
  options: Omit<ServerOptions, "port">,
  wanted: number | undefined,
): Promise<ServerProcess & { port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await choosePort(options.home));
    try {
      return { ...(await launchServer({ ...options, port })), port };
    } catch (error) {
      const mayRetry = wanted === undefined && attempt < PORT_ATTEMPTS;
      if (!mayRetry || !(error instanceof StartError) || error.code !== "port-taken") throw error;
    }
  }
}
