import { LRUCache } from "lru-cache";

/** Milliseconds after which half of the time that a client used is forgotten. */
const halfLifeMs = 5_000;
/** Waiting makes up for time used, and the more so the longer it lasts: 2 s for 40 ms, 10 s for a second. So everyone's turn comes. */
const madeUp = (waitedMs: number) => waitedMs ** 2 / 100_000;

/** The milliseconds that a client used lately, as of a time. */
export type Use = { ms: number; at: number };

/** How much of something each client used lately, and who is next. */
export function createUsage() {
  const used = new LRUCache<string, Use>({ max: 10_000 });
  const usedOf = ({ ms, at }: Use, now: number) => (ms === 0 ? 0 : ms * 2 ** ((at - now) / halfLifeMs));
  return {
    /** Whoever waits keeps this: all who wait are compared each time, which would be slow if each were looked up. */
    of(client: string): Use {
      const use = used.get(client) ?? { ms: 0, at: 0 };
      used.set(client, use);
      return use;
    },
    add(use: Use, ms: number): void {
      const now = performance.now();
      use.ms = usedOf(use, now) + ms;
      use.at = now;
    },
    /** The least is next. */
    rank: ({ use, since }: { use: Use; since: number }, now: number): number =>
      usedOf(use, now) - madeUp(now - since),
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
