import type { ImageRecord } from "../../../offchain/image-store.ts";
import { createFairSemaphore } from "../concurrency/fair-semaphore.ts";
import type { ImageDecoder } from "./decoder/decoder.ts";
import type { Resizing } from "./decoder/messages.ts";
import { ImageError } from "./image-error.ts";
import { detectType } from "./image-type.ts";
import { resizingQueue } from "./limits.ts";
import type { ResizedFiles } from "./resized-files.ts";
import { type ResizedWidth, resizedName } from "./resized-name.ts";

export type ResizedImagesDeps = {
  /** One of its own: uploads wait for another. */
  decoder: ImageDecoder;
  files: ResizedFiles;
  /** The stored image. Throws an ImageError. */
  readStored: (image: ImageRecord) => Promise<Buffer>;
  queue?: typeof resizingQueue;
};

/**
 * Stored images in other sizes. As WebP of a certain width they are kept, and made once for all who want one at the same time. All wait in
 * one queue, which has an end and in which clients take turns. Throws an ImageError: 503 `busy` when too many wait.
 */
export function createResizedImages({
  decoder,
  files,
  readStored,
  queue = resizingQueue,
}: ResizedImagesDeps) {
  const inTurn = createFairSemaphore({ ...queue, refuse: tooBusy });
  const making = new Map<string, Promise<Buffer>>();

  async function resize(image: ImageRecord, { width, format }: Resizing): Promise<Buffer> {
    const stored = await readStored(image);
    const request = { bytes: stored, type: detectType(stored), resize: { width, format } };
    const { bytes } = await decoder.decode(request);
    const resized = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // What the decoder says counts no more than the bytes that it was given.
    if (detectType(resized) !== format) throw new Error(`the decoder made no ${format} of ${image.cid}`);
    return resized;
  }

  return {
    async webp(image: ImageRecord, width: ResizedWidth, client: string): Promise<Buffer> {
      const name = resizedName(image.cid, width);
      const kept = await files.read(name).catch(logUnkept);
      if (kept !== undefined) return kept;
      const underWay = making.get(name);
      if (underWay !== undefined) return await underWay;
      const made = inTurn(client, async () => {
        const resized = await resize(image, { width: Number(width), format: "webp" });
        await files.write(name, resized).catch(logUnkept);
        return resized;
      }).finally(() => making.delete(name));
      making.set(name, made);
      return await made;
    },

    /** A still picture, for drawing. It is not kept. */
    png: (image: ImageRecord, width: number, client: string): Promise<Buffer> =>
      inTurn(client, () => resize(image, { width, format: "png" })),
  };
}

/** The image is answered with all the same, and made anew for the next one. */
function logUnkept(error: unknown): undefined {
  console.error(`images: a resized image can't be kept: ${error}`);
}

function tooBusy(): ImageError {
  return new ImageError(503, "busy", "Too many images are being resized: try again in a few seconds.", {
    retryAfter: 5,
  });
}
