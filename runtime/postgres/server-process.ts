import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readlinkSync } from "node:fs";
import { open, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { waitUntil, within } from "../../config/async.ts";
import { bareEnvironment } from "../../config/process-environment.ts";
import type { Exit } from "../process/child-process.ts";
import type { GroupReaper } from "../process/group-reaper.ts";
import { processCommand, processIsAlive } from "../process/process-identity.ts";
import { diskFullError, isDiskFull, StartError } from "../start-error.ts";
import { adviceOnLibraries, type Binaries } from "./binaries.ts";
import type { ServerUser } from "./server-user.ts";

export type ServerProcess = { pid: number; exited: Promise<Exit>; stop(timeoutMs: number): Promise<Exit> };

export type ServerOptions = {
  home: string;
  cluster: string;
  user: ServerUser | undefined;
  binaries: Binaries;
  port: number;
  logFile: string;
  durable: boolean;
  reaper: GroupReaper | undefined;
  signal: AbortSignal | undefined;
};

/** Recovery after a crash replays at most 2 GB of log, which takes a slow disk a few minutes. */
const START_MS = 5 * 60_000;
const POLL_MS = 15;
/** After a postmaster dies, its children exit within moments. Until then the data is in use. */
const LEFTOVER_CHILDREN_MS = 5_000;

/** Starts the server and waits until it accepts connections. Throws a StartError with the reason from its log. */
export async function launchServer(options: ServerOptions): Promise<ServerProcess> {
  const deadline = performance.now() + LEFTOVER_CHILDREN_MS;
  for (;;) {
    const { size } = await stat(options.logFile);
    const server = spawnServer(options);
    const isReady = await waitForReady(server, options).catch(async (error: unknown) => {
      await server.stop(2_000);
      throw error;
    });
    if (isReady) return server;
    const output = await readLog(options.logFile, size);
    const isInUse = /pre-existing shared memory block/.test(output);
    if (!isInUse || performance.now() > deadline) throw startFailure(options, output);
    await delay(200);
  }
}

function spawnServer({
  cluster,
  user,
  binaries,
  port,
  logFile,
  durable,
  reaper,
}: ServerOptions): ServerProcess {
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "log_destination=stderr",
    "logging_collector=off",
    // A confirmed registration must survive a power cut.
    ...(durable
      ? ["fsync=on", "full_page_writes=on", "synchronous_commit=on"]
      : ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]),
  ];
  // Not a pipe: Postgres must be able to write its log and shut down cleanly after this process has died.
  const log = openSync(logFile, "a");
  const child = spawn(binaries.postgres, ["-D", cluster, ...settings.flatMap((setting) => ["-c", setting])], {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: "/",
    env: bareEnvironment({ LC_ALL: "C", TZ: "UTC" }),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const pid = child.pid;
  if (pid !== undefined) reaper?.add(pid, "SIGINT");

  const exited = once(child, "exit").then(
    ([code, signal]): Exit => ({ code, signal }),
    (error: unknown) => {
      throw new StartError(`cannot run Postgres: ${error}`, { cause: error });
    },
  );
  // If the program can't be run at all, waitForReady rejects with that error.
  exited.then(
    () => pid !== undefined && reaper?.remove(pid),
    () => {},
  );
  return { pid: pid ?? -1, exited, stop: (timeoutMs) => stopServer(child, exited, timeoutMs) };
}

/** Tries a fast shutdown, then an immediate one, then SIGKILL. The data survives each; after the last two, the next start recovers it. */
async function stopServer(
  child: { kill(signal: NodeJS.Signals): boolean },
  exited: Promise<Exit>,
  timeoutMs: number,
): Promise<Exit> {
  for (const [signal, patience] of [
    ["SIGINT", timeoutMs],
    ["SIGQUIT", 1_000],
  ] as const) {
    child.kill(signal);
    const exit = await Promise.race([exited, delay(patience, undefined, { ref: false })]);
    if (exit !== undefined) return exit;
  }
  child.kill("SIGKILL");
  return await exited;
}

/** Resolves to true once the server is ready, and to false if it exits first. */
async function waitForReady(server: ServerProcess, options: ServerOptions): Promise<boolean> {
  const pidFile = path.join(options.cluster, "postmaster.pid");
  const deadline = performance.now() + START_MS;
  let hasExited = false;
  const exit = server.exited.finally(() => {
    hasExited = true;
  });
  for (;;) {
    await within(POLL_MS, exit);
    if (hasExited) return false;
    options.signal?.throwIfAborted();
    const lines = (await readFile(pidFile, "utf8").catch(() => "")).split("\n");
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === "ready") return true;
    if (performance.now() > deadline) {
      throw new StartError(`Postgres is not ready after ${START_MS / 1_000} s: see ${options.logFile}`);
    }
  }
}

function startFailure({ home, port, logFile }: ServerOptions, output: string): StartError {
  if (/Address already in use/.test(output)) {
    return new StartError(
      `port ${port} (Postgres) is taken by another process: choose a free one or stop it`,
      { code: "port-taken" },
    );
  }
  if (isDiskFull(output)) return diskFullError(home);
  return new StartError(
    `Postgres cannot start: ${extractFatalReason(output)}${adviceOnLibraries(output)}; its log is ${logFile}`,
  );
}

const TAIL_BYTES = 16_384;

/** The log from a position to its end, at most the last 16 KB; an empty string if it can't be read. */
export async function readLog(file: string, from = 0): Promise<string> {
  try {
    const handle = await open(file, "r");
    try {
      const { size } = await handle.stat();
      const start = Math.max(from, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(Math.max(0, size - start)),
        0,
        undefined,
        start,
      );
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}

/** The line that says why the server ended, without its timestamp and process id. */
function extractFatalReason(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const line =
    lines.findLast((text) => /\b(FATAL|PANIC):/.test(text)) ?? lines.at(-1) ?? "its log gives no reason";
  return line.replace(/^.*?\b(FATAL|PANIC|ERROR|LOG):\s*/, "").trim();
}

/**
 * Stops a Postgres that an earlier instance of the service left running on this data, and removes a pid file whose pid now
 * belongs to an unrelated process. Postgres can't tell the two apart: a reused pid, which containers have after every
 * restart, would keep it from starting forever.
 *
 * @param wasOurs Whether the lock of a dead instance was found. If not, the Postgres was started by hand: it is left
 *   running, and a StartError is thrown.
 */
export async function clearOrphan(
  cluster: string,
  wasOurs: boolean,
  log: (line: string) => void,
): Promise<void> {
  const pidFile = path.join(cluster, "postmaster.pid");
  const pid = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10);
  if (!(pid > 0) || !processIsAlive(pid)) return;
  if (!servesCluster(pid, cluster)) {
    await rm(pidFile, { force: true });
    return;
  }
  if (!wasOurs) {
    throw new StartError(
      `a Postgres that was started by hand (pid ${pid}) uses the data in ${cluster}: stop it first`,
      { code: "in-use" },
    );
  }
  log(`stopping the Postgres (pid ${pid}) that an earlier run left behind`);
  // Fast shutdown, then immediate, then a kill. The data survives each of them.
  for (const [signal, timeoutMs] of [
    ["SIGINT", 10_000],
    ["SIGQUIT", 6_000],
    ["SIGKILL", 2_000],
  ] as const) {
    if (!processIsAlive(pid) || !servesCluster(pid, cluster)) return;
    process.kill(pid, signal);
    if (await waitUntil(() => !processIsAlive(pid), { forMs: timeoutMs })) return;
  }
  throw new StartError(`the Postgres (pid ${pid}) of an earlier run cannot be stopped: stop it by hand`, {
    code: "in-use",
  });
}

function servesCluster(pid: number, cluster: string): boolean {
  const command = processCommand(pid);
  if (command === undefined || !/postgres/.test(command)) return false;
  if (process.platform !== "linux") return command.includes(cluster);
  try {
    // The working directory of every Postgres process is its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}
