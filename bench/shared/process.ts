import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ignore, waitUntil } from "../../config/async.ts";
import { channelOf } from "../../runtime/process/channel.ts";
import type { ChildOptions } from "../../runtime/process/child-process.ts";
import type { Supervisor } from "../../runtime/process/supervisor.ts";
import type { Benchmark } from "./benchmark.ts";

export type Process = ReturnType<typeof startProcess>;

/** Starts Node with a program that may end at any time. */
export function startProcess(supervisor: Supervisor, name: string, args: string[], options?: ChildOptions) {
  const { child } = supervisor.spawnGuest(name, process.execPath, args, options);
  let isRunning = true;
  void child.exited.then(() => {
    isRunning = false;
    supervisor.dismiss(child);
  });
  async function fail(): Promise<never> {
    const { code, signal } = await child.exited;
    throw new Error([`${name} ended (${signal ?? `exit code ${code}`})`, ...child.lastLines()].join("\n  "));
  }
  return {
    ...child,
    /** Waits until the condition holds. Throws if the process ends before. */
    async until(condition: () => boolean | Promise<boolean>): Promise<void> {
      const holds = async () => (await condition()) || (!isRunning && (await fail()));
      await waitUntil(holds, { signal: supervisor.signal });
    },
    /** Waits for its end. Throws unless it succeeded. */
    async untilDone(): Promise<void> {
      if ((await child.exited).code !== 0) await fail();
    },
  };
}

/**
 * Starts one of a benchmark's own programs, perhaps with a job: what disturbs a measurement or must not be disturbed by it. In a thread, it would
 * share the benchmark's part of the processors, as Linux schedules sessions.
 */
export function startWorker<Message>({ start }: Benchmark, program: URL, job?: unknown) {
  const worker = start(path.basename(program.pathname), [fileURLToPath(program)], { hasChannel: true });
  const messages: Message[] = [];
  worker.channel?.listen(({ content }) => messages.push(content as Message));
  const send = async (content: unknown) => await worker.channel?.send({ kind: "bench", content });
  // If it has ended already, next() says so.
  if (job !== undefined) send(job).catch(ignore);
  return {
    ...worker,
    send,
    /** Waits for its next message. Throws if the process ends without one. */
    async next(): Promise<Message> {
      await worker.until(() => messages.length > 0);
      return messages.shift() as Message;
    },
  };
}

/** In a worker: waits for its job, or the next message. */
export async function receiveMessage<Message>(): Promise<Message> {
  const [{ content }] = await once(process, "message");
  return content;
}

/** In a worker: sends a message. */
export async function sendMessage(content: unknown): Promise<void> {
  await channelOf(process).send({ kind: "bench", content });
}

/** The current and the peak resident memory of a process in MiB. Linux only; elsewhere NaN. */
export async function readMemory(pid: number): Promise<{ resident: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { resident: read("VmRSS"), peak: read("VmHWM") };
}

/** The milliseconds of processor time that a process has used so far, and its children that have ended. Linux only; elsewhere NaN. */
export async function readProcessorTime(pid: number): Promise<{ own: number; children: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Fields 14 to 17 of proc(5), in hundredths of a second: user and system time, and those of the children.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const milliseconds = (first: number) => 10 * (Number(fields[first]) + Number(fields[first + 1]));
  return { own: milliseconds(11), children: milliseconds(13) };
}

/**
 * The milliseconds for which a process's main thread has been ready to run while others had the processors. Linux only; elsewhere
 * NaN. Doesn't wait, so that it can be read at the beginning and the end of what is timed.
 */
export function readStarvedTime(pid: number): number {
  try {
    // The second number of schedstat, in nanoseconds.
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Does the work this many times at fixed times, however long once takes, each up to `jitterMs` later. Resolves to its results. */
export async function atFixedTimes<Result>(
  times: number,
  periodMs: number,
  work: (index: number) => Result,
  jitterMs = 0,
): Promise<Result[]> {
  const startedAt = performance.now();
  const results: Result[] = [];
  for (let index = 0; index < times; index++) {
    const at = startedAt + index * periodMs + jitterMs * Math.random();
    await delay(Math.max(0, at - performance.now()));
    results.push(work(index));
  }
  return results;
}

/** Resolves to the milliseconds that the work takes, and its result. */
export async function timed<Result>(work: () => Result): Promise<[number, Awaited<Result>]> {
  const startedAt = performance.now();
  const result = await work();
  return [performance.now() - startedAt, result];
}

/** The time of all processes of the machine, in Unix milliseconds. */
export const now = () => performance.timeOrigin + performance.now();
