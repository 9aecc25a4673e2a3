import { setTimeout as delay } from "node:timers/promises";
import { reasonOf } from "../config/error-code.ts";
import { createChangeLog } from "../config/log.ts";
import { log } from "./log/log.ts";
import { isLostDatabase, StartError } from "./start-error.ts";

type LookOptions = {
  /** Milliseconds before each look. */
  everyMs: number;
  /** What the process does meanwhile, for the log. */
  what: string;
  signal: AbortSignal;
  /** Whether a look's error ends the wait. Default: a StartError does, unless it is because the database is away. */
  isFinal?: (error: unknown) => boolean;
};

const isFinalStartError = (error: unknown) => error instanceof StartError && !isLostDatabase(error);

/**
 * Looks again and again until there is something. A look that fails, as while the database is away, is logged once for each reason.
 * Throws a look's error if it is final, or the signal's reason.
 */
export async function lookUntil<Found>(
  look: () => Promise<Found | undefined>,
  { everyMs, what, signal, isFinal = isFinalStartError }: LookOptions,
): Promise<Found> {
  const logFailure = createChangeLog(log);
  for (;;) {
    await delay(everyMs, undefined, { signal });
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error;
      logFailure(`${what}: ${reasonOf(error)}`, "warn");
    }
  }
}
