import { setImmediate as nextTick } from "node:timers/promises";
import { afterAccepting } from "./accepting.ts";

export type SpreadOptions = {
  /** Milliseconds of each tick in which callers run one after the other without waiting. Default: one caller per tick. */
  budgetMs?: number;
};

/**
 * Spreads work that blocks the event loop for some milliseconds over its ticks: in each tick, the returned function resolves
 * for one caller, or for as many as fit the budget. A hundred at once then don't make everyone else wait for all of them.
 */
export function spreadOverTicks({ budgetMs = 0 }: SpreadOptions = {}): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isDraining = false;
  /** When this tick's budget is used up; undefined until the first caller has run in it. */
  let until: number | undefined;

  function isInBudget(): boolean {
    if (until !== undefined) return performance.now() < until;
    until = performance.now() + budgetMs;
    setImmediate(() => {
      until = undefined;
    });
    return true;
  }

  async function drain(): Promise<void> {
    isDraining = true;
    while (waiting.length > 0) {
      await afterAccepting();
      if (budgetMs === 0) await nextTick();
      else while (!isInBudget()) await nextTick();
      waiting.shift()?.();
      // Lets that caller run before the next one's turn.
      for (let microtask = 0; microtask < 3; microtask++) await undefined;
    }
    isDraining = false;
  }

  return () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (!isDraining) void drain();
    });
}
