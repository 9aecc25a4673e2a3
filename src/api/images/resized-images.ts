import type { ImageRecord } from "../../../offchain/image-store.ts";
import { createFairSemaphore } from "../concurrency/fair-semaphore.ts";
import { coalesce } from "../concurrency/single-flight.ts";
import type { ImageDecoder } from "./decoder/decoder.ts";
import type { Resizing } from "./decoder/messages.ts";
import { ImageError } from "./image-error.ts";
import { detectType } from "./image-type.ts";
import { resizingQueue } from "./limits.ts";
import type { ResizedFiles } from "./resized-files.ts";
import { type ResizedWidth, resizedName } from "./resized-name.ts";

export type ResizedImagesDeps = {
  /** Not shared with uploads, so that neither waits for the other. */
  decoder: ImageDecoder;
  files: ResizedFiles;
  /** Reads the stored image. Throws an ImageError. */
  readStored: (image: ImageRecord) => Promise<Buffer>;
  queue?: typeof resizingQueue;
};

/**
 * Resizes stored images. A WebP is cached. All resizing goes through one bounded queue, in which clients take turns. A client's
 * concurrent requests for a WebP share one turn, but share none with other clients, which may have many turns before that one: turns
 * after the first find the WebP in the cache. Throws an ImageError 503 `busy` if too many wait.
 */
export function createResizedImages({
  decoder,
  files,
  readStored,
  queue = resizingQueue,
}: ResizedImagesDeps) {
  const inTurn = createFairSemaphore({ ...queue, refuse: tooBusy });
  const waiting = new Map<string, Promise<Buffer>>();
  const running = new Map<string, Promise<Buffer>>();

  async function resize(image: ImageRecord, { width, format }: Resizing): Promise<Buffer> {
    const stored = await readStored(image);
    const request = { bytes: stored, type: detectType(stored), resize: { width, format } };
    const { bytes } = await decoder.decode(request);
    const resized = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The decoder has handled hostile bytes, so its result is not trusted either.
    if (detectType(resized) !== format) throw new Error(`the decoder made no ${format} of ${image.cid}`);
    return resized;
  }

  async function resizeAndKeep(image: ImageRecord, width: ResizedWidth): Promise<Buffer> {
    const resized = await resize(image, { width: Number(width), format: "webp" });
    await files.write(resizedName(image.cid, width), resized).catch(logCacheError);
    return resized;
  }

  return {
    async webp(image: ImageRecord, width: ResizedWidth, client: string): Promise<Buffer> {
      const name = resizedName(image.cid, width);
      const readCached = () => files.read(name).catch(logCacheError);
      const cached = await readCached();
      if (cached !== undefined) return cached;
      return await coalesce(waiting, `${client} ${name}`, () =>
        inTurn(client, () =>
          coalesce(running, name, async () => (await readCached()) ?? resizeAndKeep(image, width)),
        ),
      );
    },

    /** Makes a still PNG. It is not cached. */
    png: (image: ImageRecord, width: number, client: string): Promise<Buffer> =>
      inTurn(client, () => resize(image, { width, format: "png" })),
  };
}

/** The image is served all the same, and resized again for the next request. */
function logCacheError(error: unknown): undefined {
  console.error(`images: a resized image can't be kept: ${error}`);
}

function tooBusy(): ImageError {
  return new ImageError(503, "busy", "Too many images are being resized: try again in a few seconds.", {
    retryAfter: 5,
  });
}
