import { setImmediate as nextTick } from "node:timers/promises";
import { afterAccepting } from "./accepting.ts";

/**
 * Spreads work that holds the event loop for some milliseconds over its ticks: the returned function resolves for one caller
 * in each, so that a hundred at once don't keep everyone else waiting for all of them.
 */
export function spreadOverTicks(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => nextTick()).then(afterAccepting);
    return last;
  };
}
