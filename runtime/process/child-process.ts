import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type Channel, channelOf } from "./channel.ts";
import type { Leash } from "./leash.ts";
import { signalGroup, stopGroup } from "./process-group.ts";
import { groupIsAlive } from "./process-identity.ts";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** Something that runs and can be stopped. Times are in milliseconds. */
export type Running = {
  exited: Promise<Exit>;
  stop(options?: { timeoutMs?: number }): Promise<void>;
  /** Ends it at once, without waiting. */
  kill?(): void;
  /** The last lines it wrote, for the report of a crash. */
  lastLines?(): string[];
};

export type ChildOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Called with every line of its output. Without it the lines are only kept for the report of a crash. */
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** Default SIGTERM. */
  stopSignal?: "SIGINT" | "SIGTERM";
  /** How long it may take to stop before it is killed, default 5000. */
  stopTimeoutMs?: number;
  /** Whether messages can be exchanged with it. */
  hasChannel?: boolean;
};

export type Child = Running & {
  pid: number;
  kill(): void;
  lastLines(): string[];
  /** Undefined for one that was started without. */
  channel: Channel | undefined;
};

const KEPT_LINES = 20;
const LAST_OUTPUT_MS = 200;

/**
 * Starts a program in a process group of its own, which the terminal's Ctrl-C does not reach, so that components are stopped
 * in order. A program that cannot be started counts as one that exited with code 127.
 */
export function startChild(command: string, args: string[], options: ChildOptions, leash: Leash): Child {
  const { cwd, env, onLine, stopSignal = "SIGTERM", stopTimeoutMs = 5_000, hasChannel = false } = options;
  const process = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: hasChannel ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "pipe", "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  // Its exit says what there is to say.
  const ignoreClosedChannel = () => {};
  if (hasChannel) process.on("error", ignoreClosedChannel);
  let group = process.pid;
  const release = () => {
    if (group !== undefined) leash.remove(group);
    group = undefined;
  };
  if (group !== undefined) leash.add(group, stopSignal);

  const lines: string[] = [];
  const keep = (line: string, stream: "stdout" | "stderr") => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
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
    // Once the group is empty its id may be reused, so it must not be signalled any more.
    if (group !== undefined && !groupIsAlive(group)) release();
    // Output may arrive after the exit, and a grandchild that inherited the pipe may keep it open for ever.
    await Promise.race([Promise.all(outputs), delay(LAST_OUTPUT_MS)]);
    resolve({ code, signal });
  });

  return {
    pid: process.pid ?? -1,
    exited,
    channel: hasChannel ? channelOf(process) : undefined,
    lastLines: () => lines.filter((line) => line.trim() !== ""),
    kill: () => group !== undefined && signalGroup(group, "SIGKILL"),
    async stop({ timeoutMs = stopTimeoutMs } = {}) {
      if (group !== undefined) {
        await stopGroup(group, stopSignal, Math.min(timeoutMs, stopTimeoutMs));
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
