import { setTimeout } from "node:timers/promises";

/** Waits. Resolves early, without an error, when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(ignoreAbort);
}

/** An abort is the only reason for which a timer without a callback rejects. */
const ignoreAbort = () => {};
