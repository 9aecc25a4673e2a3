import { setTimeout as delay } from "node:timers/promises";

/** For a rejection or an error event that needs no answer. A comment at the call says why. */
export const ignore = (): void => {};

/** Waits. Resolves early, without an error, when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // An abort is the only reason for which it rejects.
  await delay(milliseconds, undefined, { signal }).catch(ignore);
}

/** Resolves to the promise's result. If that takes longer, resolves to what `late` returns, or rejects with what it throws. */
export async function within<Result, Late>(
  milliseconds: number,
  promise: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, milliseconds);
  return await Promise.race([promise, timeout.promise.then(late)]).finally(() => clearTimeout(timer));
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
