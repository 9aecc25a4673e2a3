import { setTimeout as delay } from "node:timers/promises";
import { reasonOf } from "../config/error-code.ts";
import { log } from "./log/log.ts";
import { isLostDatabase, StartError } from "./start-error.ts";

type LookOptions = {
  /** Milliseconds before each look. */
  everyMs: number;
  /** What the process does meanwhile, for the log. */
  what: string;
  signal: AbortSignal;
};

/**
 * Looks again and again until there is something. A look that fails, as while the database is away, is logged once for each reason.
 * Throws a look's StartError, unless it is because the database is away, or the signal's reason.
 */
export async function lookUntil<Found>(
  look: () => Promise<Found | undefined>,
  { everyMs, what, signal }: LookOptions,
): Promise<Found> {
  let lastReason = "";
  for (;;) {
    await delay(everyMs, undefined, { signal });
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (error) {
      if (error instanceof StartError && !isLostDatabase(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== lastReason) log(`${what}: ${reason}`, "warn");
      lastReason = reason;
    }
  }
}
