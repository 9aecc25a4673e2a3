import { setTimeout } from "node:timers/promises";

/** Waits. Resolves early, without an error, when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(ignoreAbort);
}

/** A timer without a callback of its own fails for no other reason. */
const ignoreAbort = () => {};
