import { setTimeout as delay } from "node:timers/promises";
import type { Difference } from "../history/compare-window.ts";
import type { History } from "../history/history.ts";

/** Milliseconds from the end of one reading to the next: a few requests each. */
export const defaultRereadMs = 15 * 60_000;

export type RereadFollowedOptions = {
  history: Pick<History, "reread">;
  everyMs: number;
  log: (line: string) => void;
};

/** Reads followed blocks again once they are final, again and again. */
export function rereadFollowed({ history, everyMs, log }: RereadFollowedOptions) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await history.reread().catch((error: Error) => {
        if (!stopping.signal.aborted) log(`followed blocks could not be read again: ${error.message}`);
      });
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(endLoop);
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

/** Counts what followed blocks lacked, and logs what to do about it. */
export function createLossReport(chainId: number, log: (line: string) => void) {
  let logs = 0;

  return {
    /** Logs that followed blocks lacked, or had without being on the chain, since startup. */
    get count(): number {
      return logs;
    },

    report({ window: { from, to }, missing, foreign }: Difference): void {
      logs += missing.length + foreign.length;
      const [first] = [...missing, ...foreign];
      log(
        `history: blocks ${from} to ${to}, which were followed, had ${inWords(missing, "missing log")} and ` +
          `${inWords(foreign, "log")} that the chain does not have, the first of them of ${first?.address} in block ` +
          `${Number(first?.blockNumber)}. What was missing is being stored, but the index lacks it: \`npm run forget -- --chain ` +
          `${chainId} --from ${from}\` has these blocks indexed again, into a new schema`,
      );
    },
  };
}

const inWords = ({ length }: readonly unknown[], noun: string) =>
  `${length} ${noun}${length === 1 ? "" : "s"}`;

/** The loop checks the signal itself. */
const endLoop = () => {};
