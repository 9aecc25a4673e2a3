import { setTimeout as delay } from "node:timers/promises";

/** For a rejection or an error event that needs no answer. A comment at the call says why. */
export const ignore = (): void => {};

/** Waits. Resolves early, without an error, when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // An abort is the only reason for which it rejects.
  await delay(milliseconds, undefined, { signal }).catch(ignore);
}

/** Shares one run of `work` among all who ask for it while it runs, with the arguments of the first of them. */
export function shareRun<Arguments extends unknown[], Result>(
  work: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  let running: Promise<Result> | undefined;
  return (...args) => {
    running ??= work(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}
