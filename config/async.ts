import { setTimeout as delay } from "node:timers/promises";

/** For a rejection or an error event that needs no answer. A comment at the call says why. */
export const ignore = (): void => {};

/** Waits. Resolves early, without an error, when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  // An abort is the only reason for which it rejects.
  await delay(milliseconds, undefined, { signal }).catch(ignore);
}
