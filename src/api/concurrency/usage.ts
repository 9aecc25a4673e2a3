import { LRUCache } from "lru-cache";

/** Milliseconds after which half of the time that a client used is forgotten. */
const halfLifeMs = 5_000;
/** Waiting makes up for time used, and the more so the longer it lasts: 2 s for 40 ms, 10 s for a second. So everyone's turn comes. */
const madeUp = (waitedMs: number) => waitedMs ** 2 / 100_000;

/**
 * How much of something each client used lately, in milliseconds, and who is next.
 *
 * @param strangersMs as how much a client counts that was never seen: those that are known to use less go first
 */
export function createUsage(strangersMs: number) {
  const used = new LRUCache<string, { ms: number; at: number }>({ max: 10_000 });
  const usedBy = (client: string, now: number) => {
    const last = used.get(client);
    return last && last.ms * 2 ** ((last.at - now) / halfLifeMs);
  };
  return {
    add(client: string, ms: number): void {
      const now = performance.now();
      used.set(client, { ms: (usedBy(client, now) ?? 0) + ms, at: now });
    },
    /** The least is next. */
    rank({ client, since }: { client: string; since: number }, now: number): number {
      return (usedBy(client, now) ?? strangersMs) - madeUp(now - since);
    },
  };
}
