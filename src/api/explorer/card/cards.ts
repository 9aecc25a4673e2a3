import { LRUCache } from "lru-cache";
import { createFairSemaphore } from "../../concurrency/fair-semaphore.ts";
import { busy } from "../../http/busy.ts";
import { renderCard } from "./render-card.ts";

/** Bytes and milliseconds for which cards are kept. */
const kept = { bytes: 16 * 2 ** 20, milliseconds: 60_000 };

/**
 * Pictures that are drawn when they are asked for: one at a time, once for all who ask for the same, and kept for a minute. Clients take
 * turns; one that finds too many waiting gets 503.
 */
export function createCards() {
  const cards = new LRUCache<string, Buffer>({
    maxSize: kept.bytes,
    sizeCalculation: (png, key) => png.length + key.length + 500,
    ttl: kept.milliseconds,
  });
  const drawing = new Map<string, Promise<Buffer>>();
  const inTurn = createFairSemaphore({
    ...{ running: 1, waiting: 50, patience: 10_000 },
    refuse: () => busy("cards"),
  });

  /** @param describe the card as SVG, asked for when it is its turn */
  return async (key: string, client: string, describe: () => Promise<string>): Promise<Buffer> => {
    const found = cards.get(key);
    if (found !== undefined) return found;
    const underWay = drawing.get(key);
    if (underWay !== undefined) return await underWay;
    const drawn = inTurn(client, async () => {
      const png = await renderCard(await describe());
      cards.set(key, png);
      return png;
    }).finally(() => drawing.delete(key));
    drawing.set(key, drawn);
    return await drawn;
  };
}
