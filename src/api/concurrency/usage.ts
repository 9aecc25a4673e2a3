import { LRUCache } from "lru-cache";

/** Milliseconds after which half of the time that a client used is forgotten. */
const halfLifeMs = 5_000;

/** How much of something each client used lately, in milliseconds. */
export function createUsage() {
  const used = new LRUCache<string, { ms: number; at: number }>({ max: 10_000 });
  const now = () => performance.now();
  function of(client: string): number {
    const last = used.get(client);
    return last === undefined ? 0 : last.ms * 2 ** ((last.at - now()) / halfLifeMs);
  }
  return {
    of,
    add: (client: string, ms: number) => void used.set(client, { ms: of(client) + ms, at: now() }),
  };
}
