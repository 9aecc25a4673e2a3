import { setImmediate as nextTick } from "node:timers/promises";
import { afterAccepting } from "./accepting.ts";

export type SpreadOptions = {
  /** For so many milliseconds of a tick one caller goes on after the other, without waiting. By default each has a tick of its own. */
  budgetMs?: number;
};

/**
 * Spreads work that holds the event loop for some milliseconds over its ticks: the returned function resolves for one caller
 * in each, or for as many as a budget lasts, so that a hundred at once don't keep everyone else waiting for all of them.
 */
export function spreadOverTicks({ budgetMs = 0 }: SpreadOptions = {}): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isLettingGoOn = false;
  /** When this tick's budget is used up; undefined before anybody has gone on in it. */
  let until: number | undefined;

  function isInBudget(): boolean {
    if (until !== undefined) return performance.now() < until;
    until = performance.now() + budgetMs;
    setImmediate(() => {
      until = undefined;
    });
    return true;
  }

  async function letGoOn(): Promise<void> {
    isLettingGoOn = true;
    while (waiting.length > 0) {
      await afterAccepting();
      if (budgetMs === 0) await nextTick();
      else while (!isInBudget()) await nextTick();
      waiting.shift()?.();
      // What that caller does at once comes before the next one's turn.
      for (let microtask = 0; microtask < 3; microtask++) await undefined;
    }
    isLettingGoOn = false;
  }

  return () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (!isLettingGoOn) void letGoOn();
    });
}
