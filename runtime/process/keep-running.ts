import { setTimeout as delay } from "node:timers/promises";
import type { Channel } from "./channel.ts";
import type { Child, Exit, Running } from "./child-process.ts";

/** The exit code with which a program asks to be started again (EX_TEMPFAIL of sysexits.h). */
const TEMPORARY_FAILURE = 75;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** After running this long a program has recovered, and the backoff starts over. */
const RECOVERED_MS = 60_000;

export type KeepRunningOptions = {
  name: string;
  start: () => Child;
  /** Runs before each start except the first, and is retried if it fails. */
  prepare?: () => Promise<void>;
  signal: AbortSignal;
  log: (line: string) => void;
  firstPauseMs?: number;
};

export type KeptRunning = Running & {
  /** Kills the program, to start it again after a pause. */
  restart: () => void;
  /** Leaves it ended when it ends from now on. */
  letEnd: () => void;
  /** That of the program as it runs now. */
  channel: () => Channel | undefined;
};

const endPause = () => {};

/**
 * Starts a program, and restarts it with backoff whenever it ends with TEMPORARY_FAILURE, as it does while an RPC endpoint
 * or the database is unavailable. Any other exit is final.
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
      if (performance.now() - startedAt > RECOVERED_MS) pause = firstPauseMs;
      for (let isPrepared = false; !isPrepared; ) {
        log(`${name} can't continue for now and is restarted in ${pause / 1_000} s`);
        // An abort ends the pause early; the next line checks for it.
        await delay(pause, undefined, { signal }).catch(endPause);
        if (isStopping || signal.aborted) return exit;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        isPrepared = await Promise.resolve(prepare?.()).then(
          () => true,
          () => false,
        );
        if (isStopping || signal.aborted) return exit;
      }
      // One that was asked for in the pause is done.
      isRestarting = false;
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
    letEnd() {
      isStopping = true;
    },
    channel: () => child.channel,
    async stop(stopOptions) {
      isStopping = true;
      await child.stop(stopOptions);
    },
  };
}
