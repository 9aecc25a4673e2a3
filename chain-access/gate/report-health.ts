import type { Endpoint } from "../endpoint/endpoint.ts";

/** Milliseconds between two looks, and for which an endpoint fails before it is worth a line. */
const lookMs = 500;
const failingMs = 2_000;

/**
 * Logs a line whenever an endpoint begins to fail, and when it answers again.
 *
 * @returns a function that ends it
 */
export function reportHealth(endpoints: readonly Endpoint[], log: (line: string) => void): () => void {
  const failingSince = new Map<Endpoint, number>();
  const reported = new Set<Endpoint>();

  function look(): void {
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

  const timer = setInterval(look, lookMs);
  return () => clearInterval(timer);
}
