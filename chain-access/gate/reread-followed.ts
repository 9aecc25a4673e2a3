import { pause } from "../../config/async.ts";
import { createChangeLog } from "../../config/log.ts";
import { type Difference, describeDifference } from "../history/check-events.ts";
import type { History } from "../history/history.ts";

/** Polls for a new head from the end of one reading to the next: three minutes by default. A reading takes about six requests. */
export const pollsPerReading = 180;
/** A reading that took long, for endpoints that take few requests, delays the next by so many times its length, up to a limit. */
const restFactor = 9;
const maxRestMs = 15 * 60_000;

/** A reading asks for all tokens and pairs. Beyond so many, it is made more rarely. */
const addressesPerReading = 10_000;

export type RereadFollowedOptions = {
  history: Pick<History, "reread">;
  everyMs: number;
  /** The number of tokens and pairs. */
  countAddresses: () => number;
  log: (line: string, level?: "warn") => void;
};

/** Reads followed blocks again once they are final, again and again. */
export function rereadFollowed({ history, everyMs, countAddresses, log }: RereadFollowedOptions) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const logFailure = createChangeLog(log);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await history.reread().catch(({ message }: Error) => {
        if (!stopping.signal.aborted)
          logFailure(`followed blocks could not be read again: ${message}`, "warn");
      });
      const tookMs = performance.now() - startedAt;
      const wantedMs = Math.max(restFactor * tookMs, (everyMs * countAddresses()) / addressesPerReading);
      const restMs = Math.max(everyMs, Math.min(wantedMs, maxRestMs));
      await pause(restMs, stopping.signal);
    }
  }

  return {
    /** Starts with the blocks that an earlier run followed. */
    start(): void {
      running ??= run();
    },
    /** Resolves once the windows that were begun are stored; `history` has to be stopping as well. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** Counts what followed blocks lacked, and logs it. */
export function createLossReport(log: (line: string, level?: "warn") => void) {
  let logs = 0;

  return {
    /** Logs that followed blocks lacked, or had without being on the chain, since startup. */
    get count(): number {
      return logs;
    },

    report(difference: Difference): void {
      logs += difference.missing.length + difference.foreign.length;
      log(
        `history: ${describeDifference(difference)}. The stored history is right now, and the index will be made again from it`,
      );
    },
  };
}
