import { setTimeout as delay } from "node:timers/promises";
import { groupIsAlive } from "./process-identity.ts";

const POLL_MS = 20;
const AFTER_KILL_MS = 1_000;

/** Sends a signal to a process group. Does nothing if the group is gone. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // The group is gone.
  }
}

/** Waits until a condition holds, for at most `timeoutMs`. Resolves to whether it does. */
export async function waitUntil(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** Ends a whole process group with the given signal, then with SIGKILL after `timeoutMs`. */
export async function stopGroup(group: number, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  const isGone = () => !groupIsAlive(group);
  if (isGone()) return;
  signalGroup(group, signal);
  if (await waitUntil(isGone, timeoutMs)) return;
  signalGroup(group, "SIGKILL");
  await waitUntil(isGone, AFTER_KILL_MS);
}
