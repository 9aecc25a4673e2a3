import { LRUCache } from "lru-cache";
import { createFairSemaphore } from "../../concurrency/fair-semaphore.ts";
import { coalesce } from "../../concurrency/single-flight.ts";
import { busy } from "../../http/busy.ts";
import { renderCard } from "./render-card.ts";

/** Size and maximum age of the cached cards. */
const cacheLimits = { bytes: 16 * 2 ** 20, milliseconds: 60_000 };

/**
 * Draws cards on request, one at a time, and caches them for a minute. Clients take turns, and get 503 if too many requests are
 * waiting. A client's concurrent requests for a card share one turn. They share none with other clients, whose limits may make it
 * fail or come late; the turns after the first find the card in the cache.
 */
export function createCards() {
  const cards = new LRUCache<string, Buffer>({
    maxSize: cacheLimits.bytes,
    sizeCalculation: (png, key) => png.length + key.length + 500,
    ttl: cacheLimits.milliseconds,
  });
  const waiting = new Map<string, Promise<Buffer>>();
  const limitConcurrency = createFairSemaphore({
    ...{ concurrency: 1, maxWaiting: 500, maxWaitMs: 10_000 },
    refuse: () => busy("cards"),
  });

  /** @param createSvg called when it is the card's turn */
  return async (key: string, client: string, createSvg: () => Promise<string>): Promise<Buffer> => {
    const cached = cards.get(key);
    if (cached !== undefined) return cached;
    return await coalesce(waiting, `${client} ${key}`, () =>
      limitConcurrency(client, async () => {
        const drawnMeanwhile = cards.get(key);
        if (drawnMeanwhile !== undefined) return drawnMeanwhile;
        const png = await renderCard(await createSvg());
        cards.set(key, png);
        return png;
      }),
    );
  };
}
