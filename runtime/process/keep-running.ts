import { setTimeout as delay } from "node:timers/promises";
import type { Child, Exit, Running } from "./child-process.ts";

/** The exit code with which a program asks to be started again (EX_TEMPFAIL of sysexits.h). */
const TEMPORARY_FAILURE = 75;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A program that ran for so long has recovered: the next pause is a short one again. */
const RECOVERED_MS = 60_000;

export type KeepRunningOptions = {
  name: string;
  start: () => Child;
  /** What has to be done before each start but the first; it is tried again when it fails. */
  prepare?: () => Promise<void>;
  signal: AbortSignal;
  log: (line: string) => void;
  firstPauseMs?: number;
};

export type KeptRunning = Running & {
  /** Kills the program, to start it again after a pause. */
  restart: () => void;
};

/**
 * Starts a program and starts it again, with growing pauses, as often as it ends with TEMPORARY_FAILURE: an RPC
 * endpoint or a database that is away comes back. Any other end is the end.
 */
export function keepRunning(options: KeepRunningOptions): KeptRunning {
  const { name, start, prepare, signal, log, firstPauseMs = FIRST_PAUSE_MS } = options;
  let child = start();
  let isStopping = false;
  let isRestarting = false;

  async function run(): Promise<Exit> {
    let pause = firstPauseMs;
    for (;;) {
      const startedAt = performance.now();
      const exit = await child.exited;
      if (isStopping || signal.aborted) return exit;
      if (exit.code !== TEMPORARY_FAILURE && !isRestarting) return exit;
      isRestarting = false;
      if (performance.now() - startedAt > RECOVERED_MS) pause = firstPauseMs;
      for (let isPrepared = false; !isPrepared; ) {
        log(`${name} can't go on for now and is started again in ${pause / 1_000} s`);
        await delay(pause, undefined, { signal }).catch(() => {});
        if (isStopping || signal.aborted) return exit;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        isPrepared = await Promise.resolve(prepare?.()).then(
          () => true,
          () => false,
        );
        if (isStopping || signal.aborted) return exit;
      }
      child = start();
    }
  }

  return {
    exited: run(),
    lastLines: () => child.lastLines(),
    kill: () => child.kill(),
    restart() {
      isRestarting = true;
      child.kill();
    },
    async stop(stopOptions) {
      isStopping = true;
      await child.stop(stopOptions);
    },
  };
}
