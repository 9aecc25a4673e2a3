import { LRUCache } from "lru-cache";

/** Milliseconds after which half of the time that a client used is forgotten. */
const halfLifeMs = 5_000;
/** The part of the time waited that makes up for time used, so that everyone's turn comes. */
const waitedShare = 0.02;

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
    rank({ client, since }: { client: string; since: number }): number {
      const now = performance.now();
      return (usedBy(client, now) ?? strangersMs) - (now - since) * waitedShare;
    },
  };
}
