import { pause } from "../../config/async.ts";
import type { Log } from "../log/log.ts";
import { StartError } from "../start-error.ts";
import type { Channel } from "./channel.ts";
import type { Child, Exit, Running } from "./child-process.ts";

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

  /** Resolves to whether the program can be started. */
  async function untilPrepared(): Promise<boolean> {
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
