import { constants } from "node:os";
import { StartError } from "../start-error.ts";
import { type Child, type ChildOptions, type Exit, type Running, startChild } from "./child-process.ts";
import { type Leash, startLeash } from "./leash.ts";

/** What a part gets that must hear of a stop while it is still starting. */
type StartContext = { signal: AbortSignal; leash: Leash };

/** Thrown into a start-up that a stop has overtaken. It needs no report. */
class StoppedError extends Error {
  override name = "StoppedError";
}

export type Supervisor = {
  /** Aborted as soon as a stop begins. */
  signal: AbortSignal;
  /** Starts a program as a part. Throws StoppedError once a stop has begun. */
  spawn(name: string, command: string, args?: string[], options?: ChildOptions): Child;
  /** Takes in a part that runs already, or one that the given function starts. */
  adopt<T extends Running>(name: string, part: T | ((context: StartContext) => Promise<T>)): Promise<T>;
  /** Registers work to do after every part has ended. */
  onExit(callback: (exitCode: number) => void | Promise<void>): void;
  /** Stops every part, last started first. Without a code the exit code is 0. */
  stop(exitCode?: number): Promise<number>;
  /** Runs a start-up, then waits until everything has ended; resolves to the exit code and never rejects. */
  run(start: () => Promise<void>): Promise<number>;
};

type Part = { name: string; running: Promise<Running>; current?: Running };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** `npm run` passes a signal on that the terminal has sent already, so one Ctrl-C arrives twice. */
const SAME_SIGNAL_MS = 500;
const STOP_MS = 8_000;
const REPORTED_LINES = 10;

/**
 * Runs the parts of the service as one: when one ends by itself the others are stopped, and none outlives this process,
 * even if it is killed. Exit codes: 0 after SIGINT, SIGTERM or SIGHUP; 1 after a failed start or the crash of a part;
 * 128 + signal number when a second signal cuts the stop short.
 */
export function createSupervisor({ log }: { log: (line: string) => void }): Supervisor {
  const leash = startLeash();
  const stopping = new AbortController();
  const finished = Promise.withResolvers<number>();
  const parts: Part[] = [];
  const callbacks: ((exitCode: number) => void | Promise<void>)[] = [];
  let stoppedAt: number | undefined;

  const onSignal = (name: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      log(`${name}: stopping`);
      void stop(0);
    } else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) {
      log(`${name} again: killing what is left`);
      for (const part of parts) part.current?.kill?.();
      finish(128 + constants.signals[name]);
    }
  };
  for (const name of SIGNALS) process.on(name, onSignal);

  function finish(exitCode: number): void {
    for (const name of SIGNALS) process.off(name, onSignal);
    finished.resolve(exitCode);
  }

  async function stop(exitCode = 0): Promise<number> {
    if (stoppedAt !== undefined) return await finished.promise;
    stoppedAt = performance.now();
    // The terminal may be gone; a line that nobody can read must not cut the stop short.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
    stopping.abort(new StoppedError("stopped"));
    await stopParts(stoppedAt + STOP_MS);
    for (const callback of callbacks) {
      await Promise.resolve(exitCode)
        .then(callback)
        .catch((error: unknown) => log(`while stopping: ${error}`));
    }
    await leash.close();
    finish(exitCode);
    return await finished.promise;
  }

  async function stopParts(deadline: number): Promise<void> {
    let left = parts.length;
    for (const part of parts.toReversed()) {
      // An even share each, so that one that does not listen leaves time for the others.
      const timeoutMs = Math.max(0, deadline - performance.now()) / left--;
      const running = await part.running.catch(() => undefined);
      await running
        ?.stop({ timeoutMs })
        .catch((error: unknown) => log(`${part.name} did not stop: ${error}`));
    }
  }

  function watch(part: Part, running: Running): void {
    part.current = running;
    void running.exited.then((exit) => {
      if (stoppedAt !== undefined) return;
      log(`${part.name} ended unexpectedly (${describe(exit)}): stopping the rest`);
      for (const line of running.lastLines?.().slice(-REPORTED_LINES) ?? []) log(`  ${part.name} | ${line}`);
      void stop(1);
    });
  }

  return {
    signal: stopping.signal,
    spawn(name, command, args = [], options = {}) {
      stopping.signal.throwIfAborted();
      const child = startChild(command, args, options, leash);
      const part = { name, running: Promise.resolve(child) };
      parts.push(part);
      watch(part, child);
      return child;
    },
    async adopt(name, given) {
      stopping.signal.throwIfAborted();
      const running =
        typeof given === "function" ? given({ signal: stopping.signal, leash }) : Promise.resolve(given);
      const part = { name, running };
      parts.push(part);
      const result = await running;
      watch(part, result);
      stopping.signal.throwIfAborted();
      return result;
    },
    onExit: (callback) => void callbacks.push(callback),
    stop,
    run(start) {
      start().catch((error: unknown) => {
        if (error instanceof StoppedError || stoppedAt !== undefined) return;
        log(error instanceof StartError ? error.message : describeError(error));
        void stop(1);
      });
      return finished.promise;
    },
  };
}

function describe({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
