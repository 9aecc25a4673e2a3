import { ChildProcess, type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { ignore, pause, within } from "../../config/async.ts";
import { codeOf, reasonOf } from "../../config/error-code.ts";
import { readLines } from "../../config/lines.ts";
import { createChangeLog } from "../../config/log.ts";
import { isOrdinary, textOfChildLine } from "../log/child-lines.ts";
import type { Log } from "../log/log.ts";
import { StartError } from "../start-error.ts";
import { type Channel, channelOf } from "./channel.ts";
import type { GroupReaper } from "./group-reaper.ts";
import { groupIsAlive, signalGroup, stopGroup } from "./process-identity.ts";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A running component that can be stopped. Times are in milliseconds. */
export type Running = {
  exited: Promise<Exit>;
  stop(options?: { timeoutMs?: number }): Promise<void>;
  /** Ends it at once, without waiting. */
  kill?(): void;
  /** The last lines of its output, for crash reports. */
  lastLines?(): string[];
};

export type ChildOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The user that it runs as. Default: this process's. */
  user?: { uid: number; gid: number } | undefined;
  /** Called with every line of output. The last lines are also kept for crash reports. */
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** How long it may take to stop before it is killed. Default 5000. */
  stopTimeoutMs?: number;
  /** Whether to open a channel to exchange messages with it. */
  hasChannel?: boolean;
};

export type Child = Running & {
  pid: number;
  kill(): void;
  lastLines(): string[];
  /** Undefined unless it was started with `hasChannel`. */
  channel: Channel | undefined;
};

const MAX_LINES = 20;
const LAST_OUTPUT_MS = 200;

/**
 * Starts a program in its own process group, which the terminal's Ctrl-C doesn't reach, so that components are stopped in
 * order. A program that can't be started counts as one that exited with code 127.
 */
export function startChild(
  command: string,
  args: string[],
  options: ChildOptions,
  reaper?: GroupReaper,
): Child {
  const { cwd, env, user, onLine, stopTimeoutMs = 5_000, hasChannel = false } = options;
  const process = spawnOrFail(command, args, {
    cwd,
    env,
    uid: user?.uid,
    gid: user?.gid,
    detached: true,
    stdio: hasChannel ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "pipe", "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  // Sending over a closed channel emits an error; the exit reports that the child is gone.
  if (hasChannel) process.on("error", ignore);
  let group = process.pid;
  const release = () => {
    if (group !== undefined) reaper?.remove(group);
    group = undefined;
  };
  if (group !== undefined) reaper?.add(group, "SIGTERM");

  const lines: string[] = [];
  const keep = (line: string, stream: "stdout" | "stderr") => {
    // Requests and blocks would push out what explains a crash.
    if (!isOrdinary(line)) lines.push(line);
    if (lines.length > MAX_LINES) lines.shift();
    onLine?.(line, stream);
  };
  const outputs = [passLines(process.stdout, "stdout", keep), passLines(process.stderr, "stderr", keep)];

  const { promise: exited, resolve } = Promise.withResolvers<Exit>();
  process.once("error", (error) => {
    if (process.pid !== undefined) return;
    lines.push(`cannot run ${command}: ${error.message}`);
    resolve({ code: 127, signal: null });
  });
  process.once("exit", async (code, signal) => {
    // Once the group is empty, its id may be reused and must not be signalled any more.
    if (group !== undefined && !groupIsAlive(group)) release();
    // Output may arrive after the exit, but a grandchild that inherited the pipe may keep it open forever.
    await within(LAST_OUTPUT_MS, Promise.all(outputs));
    resolve({ code, signal });
  });

  return {
    pid: process.pid ?? -1,
    exited,
    channel: hasChannel ? channelOf(process) : undefined,
    lastLines: () => lines.filter((line) => line.trim() !== "").map(textOfChildLine),
    kill: () => group !== undefined && signalGroup(group, "SIGKILL"),
    async stop({ timeoutMs = stopTimeoutMs } = {}) {
      if (group !== undefined) {
        await stopGroup(group, "SIGTERM", Math.min(timeoutMs, stopTimeoutMs));
        release();
      }
      await exited;
    },
  };
}

/** Starts a process as `spawn` does. What that throws, such as a lack of memory, the process emits like any other reason. */
function spawnOrFail(command: string, args: string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(command, args, options);
  } catch (error) {
    const failed = new ChildProcess();
    queueMicrotask(() => failed.emit("error", error));
    return failed;
  }
}

async function passLines(
  /** Undefined for a program that could not be started for want of a file descriptor. */
  stream: Readable | undefined,
  name: "stdout" | "stderr",
  onLine: (line: string, stream: "stdout" | "stderr") => void,
): Promise<void> {
  try {
    for await (const line of readLines(stream ?? Readable.from([]))) onLine(line, name);
  } catch (error) {
    // That of a program that could not be started.
    if (codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

/** The exit code with which a program asks to be restarted (EX_TEMPFAIL in sysexits.h). */
const TEMPORARY_FAILURE = 75;

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Between attempts to prepare, which cost little: what was unavailable is used within moments of its return. */
const PREPARE_PAUSE_MS = 1_000;
/** After running for this long, a program counts as recovered and the backoff starts over. */
const RECOVERED_MS = 60_000;

export type KeepRunningOptions = {
  name: string;
  start: () => Child;
  /** Runs before each start except the first. It is retried if it fails, unless with a StartError, which is final. */
  prepare?: () => Promise<void>;
  /** Runs after each exit that is followed by another start, which waits for it. */
  standIn?: () => Promise<void>;
  signal: AbortSignal;
  log: Log;
  firstPauseMs?: number;
};

export type RestartingProcess = Running & {
  /** Kills the program and starts it again after a pause. */
  restart: () => void;
  /** Makes the next exit final. */
  disableRestart: () => void;
  /** The channel of the current process, which changes with each restart. */
  channel: () => Channel | undefined;
};

/**
 * Starts a program, and restarts it with backoff whenever it ends with TEMPORARY_FAILURE, as it does while an RPC endpoint
 * or the database is unavailable. Any other exit is final.
 */
export function keepRunning(options: KeepRunningOptions): RestartingProcess {
  const { name, start, prepare, standIn, signal, log, firstPauseMs = FIRST_PAUSE_MS } = options;
  let child = start();
  let isStopping = false;
  let isRestarting = false;

  async function run(): Promise<Exit> {
    let pauseMs = firstPauseMs;
    for (;;) {
      const startedAt = performance.now();
      const exit = await child.exited;
      if (isStopping || signal.aborted) return exit;
      if (exit.code !== TEMPORARY_FAILURE && !isRestarting) return exit;
      if (performance.now() - startedAt > RECOVERED_MS) pauseMs = firstPauseMs;
      log(`${name} can't continue for now and is restarted in ${pauseMs / 1_000} s`, "warn");
      await standIn?.();
      await pause(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      if (!(await untilPrepared()) || isStopping || signal.aborted) return exit;
      // This start also covers a restart that was requested during the pause.
      isRestarting = false;
      child = start();
    }
  }

  /** Resolves to whether the program can be started. Logs why not yet, once for each reason. */
  async function untilPrepared(): Promise<boolean> {
    const logFailure = createChangeLog(log);
    while (!isStopping && !signal.aborted) {
      const failure = await Promise.resolve(prepare?.()).then(
        () => undefined,
        (error: unknown) => error ?? "not prepared",
      );
      if (failure === undefined) return true;
      if (failure instanceof StartError) {
        log(`${name} can't be restarted: ${failure.message}`, "error");
        return false;
      }
      if (!signal.aborted) logFailure(`${name} waits: ${reasonOf(failure)}`, "warn");
      await pause(PREPARE_PAUSE_MS, signal);
    }
    return false;
  }

  return {
    exited: run(),
    lastLines: () => child.lastLines(),
    kill: () => child.kill(),
    restart() {
      isRestarting = true;
      child.kill();
    },
    disableRestart() {
      isStopping = true;
    },
    channel: () => child.channel,
    async stop(stopOptions) {
      isStopping = true;
      await child.stop(stopOptions);
    },
  };
}
