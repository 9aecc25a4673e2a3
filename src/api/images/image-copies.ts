import { LRUCache } from "lru-cache";
import type pg from "pg";
import { shareRun } from "../../../config/async.ts";
import { onPooledConnection } from "../../../offchain/connection.ts";
import { findKept, type ImageRecord } from "../../../offchain/image-store.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import { coalesce } from "../concurrency/single-flight.ts";
import { ImageError, missingBytes, tooBusy, unreadable } from "./image-error.ts";
import { failedFetches, fetchingQueue } from "./limits.ts";
import type { LocalStore } from "./providers/local.ts";
import { ProviderError, type RemoteStore } from "./providers/provider.ts";
import { removeUnlisted } from "./store-image.ts";

export type ImageCopiesOptions = {
  pool: pg.Pool;
  local: LocalStore;
  remote: RemoteStore;
  /** The most bytes of images that the remote store has and that are kept here too. */
  bytes: number;
};

export type ImageCopies = ReturnType<typeof createImageCopies>;

/** How much may be added between two clean-ups, as a share of the limit. */
const cleanUpInterval = 1 / 16;
const pageSize = 1_000;

/** Makes the local store a cache of a remote one: fetches what is missing here, and deletes what needn't be here. */
export function createImageCopies({ pool, local, remote, bytes: limit }: ImageCopiesOptions) {
  const limitPerClient = createFairSemaphore({
    ...fetchingQueue,
    refuse: () => tooBusy("Too many images are being fetched: try again in a few seconds."),
  });
  const waiting = new Map<string, Promise<void>>();
  const running = new Map<string, Promise<void>>();
  /** Not asked for again while they are here, whatever clients want. */
  const failures = new LRUCache<string, ImageError>(failedFetches);
  let added = 0;

  async function fetchNow({ cid }: ImageRecord): Promise<void> {
    throwFailure(cid);
    try {
      // Another client's turn may have come first.
      if (await local.isComplete(cid)) return;
      const image = await remote.read(cid);
      if (image === undefined) throw missingBytes();
      await local.add({ cid, ...image, mimeType: "" });
      added += image.bytes.length;
    } catch (error) {
      const failure = asImageError(error);
      failures.set(cid, failure);
      throw failure;
    }
    if (added > limit * cleanUpInterval) void cleanUp().catch(logFailure);
  }

  function throwFailure(cid: string): void {
    const failure = failures.get(cid);
    if (failure !== undefined) throw failure;
  }

  /**
   * Deletes images that were dropped, perhaps by another process, and the oldest copies beyond the limit. A database that has none of the
   * images is another one than theirs, or not restored yet. Then all of them stay: some may be nowhere else.
   */
  const cleanUp = shareRun(async (): Promise<void> => {
    added = 0;
    const stored = await local.list();
    const copies: { cid: string; size: number; storedAt: number }[] = [];
    const unlisted: string[] = [];
    let total = 0;
    for (let at = 0; at < stored.length; at += pageSize) {
      const page = stored.slice(at, at + pageSize);
      const kept = await findKept(
        pool,
        page.map(({ cid }) => cid),
        remote.name,
      );
      for (const { cid, storedAt } of page) {
        const image = kept.get(cid);
        if (image === undefined) {
          unlisted.push(cid);
        } else if (image.isPinned && storedAt !== undefined) {
          copies.push({ cid, size: image.size, storedAt });
          total += image.size;
        }
      }
    }
    if (unlisted.length > 0 && unlisted.length === stored.length) {
      console.warn(
        `images: the database has none of the ${stored.length} images in DATA_DIR, so they are kept: are DATABASE_URL and DATA_DIR the right ones?`,
      );
      return;
    }
    for (const cid of unlisted)
      await onPooledConnection(pool, (client) => removeUnlisted(local, client, cid));
    for (const { cid, size } of copies.sort((a, b) => a.storedAt - b.storedAt)) {
      if (total <= limit) return;
      await local.removeBlocks(cid);
      total -= size;
    }
  });

  return {
    /**
     * Stores the image locally. Concurrent requests for it share one fetch. Throws an ImageError: 404 `image_not_here` if the remote
     * store lacks it, 503 if it can't be fetched.
     */
    async fetch(image: ImageRecord, client: string): Promise<void> {
      throwFailure(image.cid);
      await coalesce(waiting, `${client} ${image.cid}`, () =>
        limitPerClient(client, () => coalesce(running, image.cid, () => fetchNow(image))),
      );
    },

    cleanUp,
  };
}

function asImageError(error: unknown): ImageError {
  if (error instanceof ProviderError)
    return new ImageError(
      503,
      "image_provider_unavailable",
      "This image can't be fetched from where it is stored: ask again later.",
      { retryAfter: failedFetches.ttl / 1_000, cause: `S3 ${error.reason}. ${error.cause ?? ""}` },
    );
  return error instanceof ImageError ? error : unreadable(error);
}

function logFailure(error: unknown): void {
  console.error(`images: copies can't be cleaned up yet: ${error}`);
}
