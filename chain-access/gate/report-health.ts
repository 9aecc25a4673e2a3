import type { Endpoint } from "../endpoint/endpoint.ts";

/** Milliseconds between checks. */
const checkMs = 500;
/** Milliseconds that an endpoint must have been failing before it is reported. */
const failingMs = 2_000;

/**
 * Logs a line when an endpoint starts failing, and when it answers again.
 *
 * @returns a function that stops the reports
 */
export function reportHealth(endpoints: readonly Endpoint[], log: (line: string) => void): () => void {
  const failingSince = new Map<Endpoint, number>();
  const reported = new Set<Endpoint>();

  function check(): void {
    for (const endpoint of endpoints) {
      if (endpoint.isHealthy) {
        failingSince.delete(endpoint);
        if (reported.delete(endpoint)) log(`${endpoint.name} answers again`);
        continue;
      }
      const since = failingSince.get(endpoint) ?? performance.now();
      failingSince.set(endpoint, since);
      if (reported.has(endpoint) || performance.now() - since < failingMs) continue;
      reported.add(endpoint);
      log(`${endpoint.name} fails: ${endpoint.lastFault}`);
    }
  }

  const timer = setInterval(check, checkMs);
  return () => clearInterval(timer);
}
