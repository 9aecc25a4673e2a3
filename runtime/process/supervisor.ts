import { constants } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ignore } from "../../config/async.ts";
import type { Log } from "../log/log.ts";
import { describeStartError } from "../start-error.ts";
import { type Child, type ChildOptions, type Exit, type Running, startChild } from "./child-process.ts";
import { type GroupReaper, startGroupReaper } from "./group-reaper.ts";

/** Passed to a component's start, so that a stop can interrupt it. */
type StartContext = { signal: AbortSignal; reaper: GroupReaper };

/** Interrupts a start-up when a stop begins. Never reported. */
class StoppedError extends Error {
  override name = "StoppedError";
}

export type Supervisor = ReturnType<typeof createSupervisor>;

type Component = { name: string; running: Promise<Running>; current?: Running };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** `npm run` forwards a signal that the terminal has already sent, so one Ctrl-C arrives twice. */
const SAME_SIGNAL_MS = 500;
const STOP_MS = 8_000;
const REPORTED_LINES = 10;

/**
 * Runs the components of the service together: if one ends unexpectedly, the others are stopped, and none outlives this
 * process, even if it is killed. Exit codes: 0 after SIGINT, SIGTERM or SIGHUP, or 1 if something had to be finished; 1 after a failed start or the crash of a component;
 * 128 + signal number if a second signal cuts the stop short.
 */
export function createSupervisor({ log }: { log: Log }) {
  const reaper = startGroupReaper();
  const stopping = new AbortController();
  const finished = Promise.withResolvers<number>();
  const components: Component[] = [];
  const callbacks: ((exitCode: number) => void | Promise<void>)[] = [];
  let signalCode = 0;
  let stoppedAt: number | undefined;
  let isFinished = false;

  // Never removed: a signal that arrives while the process is exiting would otherwise end it with another exit code.
  const onSignal = (name: NodeJS.Signals) => {
    if (isFinished) return;
    if (stoppedAt === undefined) {
      log(`${name}: stopping`);
      void stop(signalCode);
    } else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) {
      log(`${name} again: killing what is left`);
      for (const component of components) component.current?.kill?.();
      finish(128 + constants.signals[name]);
    }
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  // Whatever runs goes on without its log while the disk is full, or once whoever read it is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignore);

  function finish(exitCode: number): void {
    isFinished = true;
    finished.resolve(exitCode);
  }

  /** Stops every component, in reverse order of their starts. */
  async function stop(exitCode = 0): Promise<number> {
    if (stoppedAt !== undefined) return await finished.promise;
    stoppedAt = performance.now();
    stopping.abort(new StoppedError("stopped"));
    await stopComponents(stoppedAt + STOP_MS);
    for (const callback of callbacks) {
      await Promise.resolve(exitCode)
        .then(callback)
        .catch((error: unknown) => log(`while stopping: ${error}`, "error"));
    }
    await reaper.close();
    finish(exitCode);
    return await finished.promise;
  }

  async function stopComponents(deadline: number): Promise<void> {
    let left = components.length;
    for (const component of components.toReversed()) {
      // Split the time evenly, so that a component that doesn't respond leaves time for the others.
      const timeoutMs = Math.max(0, deadline - performance.now()) / left--;
      const running = await component.running.catch(() => undefined);
      await running
        ?.stop({ timeoutMs })
        .catch((error: unknown) => log(`${component.name} did not stop: ${error}`, "error"));
    }
  }

  function watch(component: Component, running: Running): void {
    component.current = running;
    void running.exited.then((exit) => {
      if (stoppedAt !== undefined || !components.includes(component)) return;
      log(`${component.name} ended unexpectedly (${describe(exit)}): stopping the rest`, "error");
      for (const line of running.lastLines?.().slice(-REPORTED_LINES) ?? [])
        log(`  ${component.name} | ${line}`, "error");
      void stop(1);
    });
  }

  /**
   * Starts a program whose exit doesn't end the service until `keep` makes it a component. Either way, it doesn't outlive the service.
   * Throws StoppedError once a stop has begun.
   */
  function spawnGuest(name: string, command: string, args: string[] = [], options: ChildOptions = {}) {
    stopping.signal.throwIfAborted();
    const child = startChild(command, args, options, reaper);
    const component = { name, running: Promise.resolve(child), current: child };
    components.push(component);
    return { child, keep: () => watch(component, child) };
  }

  return {
    /** Aborted as soon as a stop begins. */
    signal: stopping.signal,
    /** Starts a program as a component of the service. Throws StoppedError once a stop has begun. */
    spawn(name: string, command: string, args?: string[], options?: ChildOptions): Child {
      const { child, keep } = spawnGuest(name, command, args, options);
      keep();
      return child;
    },
    spawnGuest,
    /** Adds a component that is already running, or that the given function starts. */
    async adopt<T extends Running>(
      name: string,
      started: T | ((context: StartContext) => Promise<T>),
    ): Promise<T> {
      stopping.signal.throwIfAborted();
      const running =
        typeof started === "function"
          ? started({ signal: stopping.signal, reaper })
          : Promise.resolve(started);
      const component = { name, running };
      components.push(component);
      const result = await running;
      watch(component, result);
      stopping.signal.throwIfAborted();
      return result;
    },
    /** Removes a component or a guest from the service: its exit no longer matters. */
    dismiss(running: Running): void {
      const index = components.findIndex(({ current }) => current === running);
      if (index >= 0) components.splice(index, 1);
    },
    /** Registers a callback to run after every component has ended. */
    onExit: (callback: (exitCode: number) => void | Promise<void>): void => void callbacks.push(callback),
    stop,
    /** From now on, a signal interrupts a task: it has failed. */
    mustFinish(): void {
      signalCode = 1;
    },
    /** Runs a start-up, then waits until everything has ended. Resolves to the exit code; never rejects. */
    run(start: () => Promise<void>): Promise<number> {
      start().catch((error: unknown) => {
        if (error instanceof StoppedError || stoppedAt !== undefined) return;
        log(describeStartError(error), "error");
        void stop(1);
      });
      return finished.promise;
    },
  };
}

function describe({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** Gives back the memory that only the start has used, some 10 MB: this process does so little from here on that the garbage would stay. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  void collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
