import { signal } from "@preact/signals";
import { chainId } from "./chain.ts";
import { api, dataOf } from "./client.ts";

/** How long requested images are collected, to read them with one request. */
const batchDelayMs = 50;
/** After a failed read, the images are requested again this much later. */
const retryDelayMs = 5_000;

/** The API's limit of tokens per request. */
const maxPerRequest = 100;
/** The cache is cleared when it is larger than this. */
const maxCached = 1_000;

const keyOf = (mint: string) => `${mint} ${chainId.peek() ?? ""}`;

/** The images that tokens were registered with; null if there is none, or none may be shown. */
const imageUrls = signal<ReadonlyMap<string, string | null>>(new Map());
const wanted = new Set<string>();
let isScheduled = false;

/** The image of a token, for rows that come without it. Null until it has been read. */
export function getTokenImage(mint: string): string | null {
  const image = imageUrls.value.get(keyOf(mint));
  if (image === undefined) {
    wanted.add(mint);
    if (!isScheduled) setTimeout(() => void readWanted(), batchDelayMs);
    isScheduled = true;
  }
  return image ?? null;
}

/** Caches the image that a token was just registered with. */
export const cacheTokenImage = (mint: string, imageUrl: string | null) => cache([[mint, imageUrl]]);

function cache(images: [mint: string, imageUrl: string | null][]): void {
  const kept = imageUrls.peek().size > maxCached ? [] : imageUrls.peek();
  imageUrls.value = new Map([...kept, ...images.map(([mint, image]) => [keyOf(mint), image] as const)]);
}

async function readWanted(): Promise<void> {
  const mints = [...wanted].slice(0, maxPerRequest);
  const query = { mint: mints.join(","), fields: "mint,imageUrl", chainId: chainId.peek() };
  let delay = batchDelayMs;
  try {
    const answer = await dataOf(api.GET("/api/tokens", { params: { query } }));
    const tokens = answer.tokens as unknown as { mint: string; imageUrl?: string | null }[];
    const images = new Map(tokens.map(({ mint, imageUrl }) => [mint, imageUrl ?? null]));
    for (const mint of mints) wanted.delete(mint);
    cache(mints.map((mint) => [mint, images.get(mint) ?? null]));
  } catch {
    // Letters are shown meanwhile.
    delay = retryDelayMs;
  }
  isScheduled = wanted.size > 0;
  if (isScheduled) setTimeout(() => void readWanted(), delay);
}
