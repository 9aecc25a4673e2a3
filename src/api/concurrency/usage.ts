import { LRUCache } from "lru-cache";

/** Milliseconds after which half of the time that a client used is forgotten. */
const halfLifeMs = 5_000;
/** Waiting makes up for time used, and the more so the longer it lasts: 2 s for 40 ms, 10 s for a second. So everyone's turn comes. */
const madeUp = (waitedMs: number) => waitedMs ** 2 / 100_000;

/** How much of something each client used lately, in milliseconds, and who is next. */
export function createUsage() {
  const used = new LRUCache<string, { ms: number; at: number }>({ max: 10_000 });
  const usedBy = (client: string, now: number) => {
    // Compared for all who wait each time: an LRU's `get` would also reorder them.
    const last = used.peek(client);
    return last === undefined ? 0 : last.ms * 2 ** ((last.at - now) / halfLifeMs);
  };
  return {
    add(client: string, ms: number): void {
      const now = performance.now();
      used.set(client, { ms: usedBy(client, now) + ms, at: now });
    },
    /** The least is next. */
    rank: ({ client, since }: { client: string; since: number }, now: number): number =>
      usedBy(client, now) - madeUp(now - since),
  };
}

/** Counts things by whose they are. Nothing is kept of those who have none. */
export class Counts {
  readonly #counts = new Map<string, number>();

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  add(owner: string, change: 1 | -1): void {
    const count = this.of(owner) + change;
    if (count === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, count);
  }
}
