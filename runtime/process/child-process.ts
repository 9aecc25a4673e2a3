import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ignore } from "../../config/async.ts";
import { isOrdinary, textOfChildLine } from "../log/child-lines.ts";
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
  reaper: GroupReaper,
): Child {
  const { cwd, env, onLine, stopTimeoutMs = 5_000, hasChannel = false } = options;
  const process = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: hasChannel ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "pipe", "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  // Sending over a closed channel emits an error; the exit reports that the child is gone.
  if (hasChannel) process.on("error", ignore);
  let group = process.pid;
  const release = () => {
    if (group !== undefined) reaper.remove(group);
    group = undefined;
  };
  if (group !== undefined) reaper.add(group, "SIGTERM");

  const lines: string[] = [];
  const keep = (line: string, stream: "stdout" | "stderr") => {
    // Requests and blocks would push out what explains a crash.
    if (!isOrdinary(line)) lines.push(line);
    if (lines.length > MAX_LINES) lines.shift();
    onLine?.(line, stream);
  };
  const outputs = [readLines(process.stdout, "stdout", keep), readLines(process.stderr, "stderr", keep)];

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
    await Promise.race([Promise.all(outputs), delay(LAST_OUTPUT_MS)]);
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

function readLines(
  stream: Readable,
  name: "stdout" | "stderr",
  onLine: (line: string, stream: "stdout" | "stderr") => void,
): Promise<void> {
  const reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  reader.on("line", (line) => onLine(line, name));
  return new Promise((resolve) => reader.once("close", resolve));
}
