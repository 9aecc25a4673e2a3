import { setTimeout as delay } from "node:timers/promises";

/** For a rejection or an error event that needs no answer. A comment at the call says why. */
export const ignore = (): void => {};

/** Waits. Resolves early, without an error, when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // An abort is the only reason for which it rejects.
  await delay(milliseconds, undefined, { signal }).catch(ignore);
}

type WaitOptions = { everyMs?: number; forMs?: number; signal?: AbortSignal | undefined };

/**
 * Looks again and again until a condition holds. Resolves to whether it does: to false after `forMs`. Throws what a look throws, and the
 * signal's reason.
 */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  { everyMs = 20, forMs = Number.POSITIVE_INFINITY, signal }: WaitOptions,
): Promise<boolean> {
  const deadline = performance.now() + forMs;
  for (;;) {
    signal?.throwIfAborted();
    if (await holds()) return true;
    if (performance.now() >= deadline) return false;
    await pause(everyMs, signal);
  }
}

/** A signal that aborts with the first of these. */
export const anySignal = (...signals: (AbortSignal | null | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal != null));

/** Resolves to the promise's result, unless the signal is aborted first: then it rejects with the signal's reason. */
export async function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const result = Promise.race([promise, aborted.promise]);
  return await result.finally(() => signal.removeEventListener("abort", abort));
}

/**
 * Resolves to the promise's result. If that takes longer, resolves to what `late` returns, by default to undefined, or rejects with what
 * it throws.
 */
export async function within<Result, Late = undefined>(
  milliseconds: number,
  promise: Promise<Result>,
  late?: () => Late,
): Promise<Result | Late> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, milliseconds);
  return await Promise.race([promise, timeout.promise.then(() => late?.() as Late)]).finally(() =>
    clearTimeout(timer),
  );
}

/** Creates what can be waited for again and again: `next` resolves at the next call of `notify`. */
export function createNews() {
  let coming = Promise.withResolvers<void>();
  return {
    next: (): Promise<void> => coming.promise,
    notify(): void {
      coming.resolve();
      coming = Promise.withResolvers();
    },
  };
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
