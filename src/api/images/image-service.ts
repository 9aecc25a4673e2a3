import { createHash } from "node:crypto";
import type pg from "pg";
import type { ImageBudget } from "../../../offchain/image-budget.ts";
import { findImage, type ImageRecord } from "../../../offchain/image-store.ts";
import { createFairSemaphore, createSlots } from "../concurrency/semaphore.ts";
import { buildDag } from "./dag.ts";
import type { ImageDecoder } from "./decoder/decoder.ts";
import type { FetchImage } from "./fetch-image.ts";
import { assertFreeDisk } from "./free-disk.ts";
import type { ImageCopies } from "./image-copies.ts";
import {
  brokenImage,
  ImageError,
  logImageFailure,
  missingBytes,
  unreadable,
  unwritable,
  uploadLimitError,
} from "./image-error.ts";
import { detectType, type MimeType, mimeTypes } from "./image-type.ts";
import { imageLimits, receivingLimits, uploadSlots } from "./limits.ts";
import { BrokenBlockError } from "./providers/block-file.ts";
import type { LocalStore } from "./providers/local.ts";
import type { ImageProvider } from "./providers/provider.ts";
import { createSpool, type ReceivingOptions, receiveImage } from "./receive-image.ts";
import { createResizedImages, type ResizedFiles } from "./resized-images.ts";
import { storeImage } from "./store-image.ts";

export type ImageServiceDeps = {
  decoder: ImageDecoder;
  resizing: { decoder: ImageDecoder; files: ResizedFiles };
  /** Each upload holds a connection while it is stored, so the pool limits how many are stored at a time. */
  pool: pg.Pool;
  local: LocalStore;
  /** The configured provider; undefined for `local`. */
  provider: ImageProvider | undefined;
  /** Every provider that may have an image, for removing images. */
  providers: ImageProvider[];
  /** Set if images are also in a remote store, of which the local one is then a cache. */
  copies: ImageCopies | undefined;
  /** The URL that a CID is appended to, such as https://example.org/ipfs. */
  gatewayUrl: string;
  /** The room for images that no registration mentions. */
  budget: ImageBudget;
  /** With fewer bytes free on the disk, uploads are refused. */
  minFreeDiskBytes: number;
  /** Undefined unless the operator allows images by URL. */
  fetchImage?: FetchImage | undefined;
  /** Called after images were evicted that a provider may still have. */
  onEvicted(): void;
};

/** The response to an upload: `size` in bytes, `width` and `height` in pixels. */
export type UploadedImage = ImageRecord & {
  mimeType: MimeType;
  /** ipfs://<CID>, to be used as the imageUrl of a registration. */
  url: string;
  gatewayUrl: string;
};

export type ImageService = ReturnType<typeof createImageService>;

/** In all methods, `client` identifies the sender for limits and for taking turns. */
export function createImageService(deps: ImageServiceDeps) {
  const { pool, local, copies, decoder, gatewayUrl, minFreeDiskBytes, fetchImage } = deps;
  const slots = createSlots({ ...uploadSlots, refuse: uploadLimitError });
  // Leaves one connection of the pool for readers and one for the sweep. Also limits how many files are in memory.
  const limitPerClient = createFairSemaphore({
    concurrency: Math.max(1, (pool.options.max ?? 10) - 2),
    maxWaiting: uploadSlots.max,
    maxWaitMs: uploadSlots.maxWaitMs,
    refuse: () => uploadLimitError("everyone"),
  });

  async function storeFile(received: Buffer, client: string): Promise<UploadedImage> {
    const { bytes, ...checked } = await checkImage(decoder, received, client);
    const dag = await buildDag(bytes);
    const image = { cid: dag.root.toString(), size: bytes.length, ...checked };
    await assertFreeDisk(local.folder, minFreeDiskBytes);
    await storeImage(deps, { image, bytes, dag, uploader: hashClient(client) });
    return { ...image, url: `ipfs://${image.cid}`, gatewayUrl: `${gatewayUrl}/${image.cid}` };
  }

  /** Gives a client a slot, stores the image that `read` writes into a spool, and frees everything. */
  async function receive(
    client: string,
    read: (options: Omit<ReceivingOptions, "limits">) => Promise<void>,
  ): Promise<UploadedImage> {
    const revoked = new AbortController();
    const slot = slots.take(client, () => revoked.abort());
    const spool = createSpool({ folder: local.unfinished, memoryBytes: receivingLimits.memoryBytes });
    try {
      await assertFreeDisk(local.folder, minFreeDiskBytes);
      await read({ spool, signal: revoked.signal, onProgress: slot.touch });
      slot.protect();
      return await limitPerClient(client, async () =>
        storeFile(await spool.read().catch(throwUnwritable), client),
      );
    } finally {
      slot.release();
      await spool.close();
    }
  }

  /** Reads the local bytes, or if they are missing or damaged (undefined), those that the remote store has. */
  async function readLocal<Result>(
    image: ImageRecord,
    client: string,
    read: () => Promise<Result | undefined>,
  ): Promise<Result> {
    let result = await read().catch(throwUnreadable);
    if (result === undefined && copies !== undefined) {
      await copies.fetch(image, client);
      result = await read().catch(throwUnreadable);
    }
    if (result === undefined) throw missingBytes();
    return result;
  }

  async function openBlocks({ cid, size }: ImageRecord) {
    const stored = await local.open(cid);
    return stored?.size === size ? stored.blocks() : undefined;
  }

  const readStored = (image: ImageRecord, client: string): Promise<Buffer> =>
    readLocal(image, client, () => local.read(image.cid));

  const resized = createResizedImages({ ...deps.resizing, readStored });

  return {
    /** Returns the image as a WebP of this width. Throws as `locate` does, or an ImageError 503 `busy`. */
    readResized: resized.webp,

    /** Returns the image as a PNG of at most this width and height. Undefined if it isn't stored here. Throws as `readResized` does. */
    async readPicture(cid: string, width: number, client: string): Promise<Buffer | undefined> {
      const image = await findImage(pool, cid).catch(throwUnreadable);
      return image && (await resized.png(image, width, client));
    },

    /** Stores the file of a multipart request. Throws an ImageError. */
    upload: (request: Request, client: string): Promise<UploadedImage> =>
      receive(client, (options) => receiveImage(request, options)),

    /** Stores the image at a URL, as if the client had uploaded it. Throws an ImageError: 404 `images_from_urls_off` unless that is allowed. */
    async uploadFrom(url: URL, client: string): Promise<UploadedImage> {
      if (fetchImage === undefined) {
        throw new ImageError(
          404,
          "images_from_urls_off",
          "This service doesn't fetch images: send the image itself to POST /api/upload-image.",
        );
      }
      return await receive(client, (options) => fetchImage(url, { ...options, client }));
    },

    /** Returns whose limit would refuse one more upload of this client now, or undefined if it would be accepted. */
    reachedUploadLimit: slots.reachedLimit,

    /** Finds an image that was stored here. Throws an ImageError: 404 `image_not_found`, or 503 if the database fails. */
    async find(cid: string): Promise<ImageRecord> {
      const image = await findImage(pool, cid).catch(throwUnreadable);
      if (image === undefined)
        throw new ImageError(
          404,
          "image_not_found",
          "No image with this CID was uploaded here, or it was dropped.",
        );
      return image;
    },

    /**
     * Checks that the bytes are here, and fetches them if a remote store has them. Throws an ImageError: 404 `image_not_here` if only
     * another replica has them, or 503 if the disk can't be read or the remote store not be reached.
     */
    async locate(image: ImageRecord, client: string): Promise<void> {
      await readLocal(image, client, () => openBlocks(image));
    },

    /** Reads the bytes block by block. Resolves once the first has been read and verified. Throws as `locate` does. */
    read: (image: ImageRecord, client: string): Promise<AsyncGenerator<Uint8Array>> =>
      readLocal(image, client, async () => {
        const blocks = await openBlocks(image);
        const first = await blocks?.next().catch(unlessBroken);
        return blocks && first && withFirst(first, blocks);
      }),
  };
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

const throwUnreadable = (cause: unknown) => {
  throw unreadable(cause);
};

const throwUnwritable = (cause: unknown) => {
  throw unwritable(cause);
};

function unlessBroken(error: unknown): undefined {
  if (!(error instanceof BrokenBlockError)) throw error;
  logImageFailure(error.message);
}

/** Hashed for privacy: the address itself is not stored. */
function hashClient(client: string): string {
  return createHash("sha256").update(client).digest("base64url");
}

/** An image that may be stored and served: fully decoded, and with nothing in it but the picture. */
export type CheckedImage = {
  bytes: Buffer;
  mimeType: MimeType;
  /** Pixels of one frame. */
  width: number;
  height: number;
};

/**
 * Checks an uploaded image by decoding it, and returns it re-encoded in the same type, without metadata. Only the first bytes are
 * inspected here; the rest is left to the decoder, which runs in a separate process.
 *
 * Throws an ImageError: 415 for another type, 422 for an image that is broken, has too many pixels or frames, or takes too much to
 * decode, 413 for one that is too large after re-encoding, 503 if too many are waiting.
 */
export async function checkImage(
  decoder: ImageDecoder,
  received: Buffer,
  client?: string,
): Promise<CheckedImage> {
  const type = detectType(received);
  const { bytes, width, height } = await decoder.decode({ bytes: received, type }, client);
  const checked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The decoder has handled hostile bytes, so its result is not trusted either.
  if (detectType(checked) !== type || checked.length > imageLimits.bytes)
    throw brokenImage("it does not decode");
  return { bytes: checked, mimeType: mimeTypes[type], width, height };
}
