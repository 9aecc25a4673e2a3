import { LRUCache } from "lru-cache";
import { createFairSemaphore } from "../../concurrency/fair-semaphore.ts";
import { busy } from "../../http/busy.ts";
import { renderCard } from "./render-card.ts";

/** Size and maximum age of the cached cards. */
const cacheLimits = { bytes: 16 * 2 ** 20, milliseconds: 60_000 };

/**
 * Draws cards on request: one at a time, once for concurrent requests for the same card, and cached for a minute. Clients take
 * turns, and get 503 if too many requests are waiting.
 */
export function createCards() {
  const cards = new LRUCache<string, Buffer>({
    maxSize: cacheLimits.bytes,
    sizeCalculation: (png, key) => png.length + key.length + 500,
    ttl: cacheLimits.milliseconds,
  });
  const drawing = new Map<string, Promise<Buffer>>();
  const limitConcurrency = createFairSemaphore({
    ...{ concurrency: 1, maxWaiting: 50, maxWaitMs: 10_000 },
    refuse: () => busy("cards"),
  });

  /** @param createSvg called when it is the card's turn */
  return async (key: string, client: string, createSvg: () => Promise<string>): Promise<Buffer> => {
    const found = cards.get(key);
    if (found !== undefined) return found;
    const pending = drawing.get(key);
    if (pending !== undefined) return await pending;
    const drawn = limitConcurrency(client, async () => {
      const png = await renderCard(await createSvg());
      cards.set(key, png);
      return png;
    }).finally(() => drawing.delete(key));
    drawing.set(key, drawn);
    return await drawn;
  };
}
