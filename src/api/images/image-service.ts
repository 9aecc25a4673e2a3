import { createHash } from "node:crypto";
import type pg from "pg";
import type { ImageBudget } from "../../../offchain/image-budget.ts";
import { findImage, type ImageRecord } from "../../../offchain/image-store.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { createSlots } from "../concurrency/slots.ts";
import { checkImage } from "./check-image.ts";
import { buildDag } from "./dag.ts";
import type { ImageDecoder } from "./decoder/decoder.ts";
import { assertFreeDisk } from "./free-disk.ts";
import { ImageError, storageUnavailable, unwritable } from "./image-error.ts";
import type { MimeType } from "./image-type.ts";
import { keepImage } from "./keep-image.ts";
import { receivingLimits, uploadSlots } from "./limits.ts";
import { BrokenBlockError } from "./providers/block-file.ts";
import type { LocalStore } from "./providers/local.ts";
import type { ImageProvider } from "./providers/provider.ts";
import { receiveImage } from "./receive-image.ts";
import { refuseUpload } from "./refuse-upload.ts";
import type { ResizedFiles } from "./resized-files.ts";
import { createResizedImages } from "./resized-images.ts";
import type { ResizedWidth } from "./resized-name.ts";
import { createSpool } from "./spool.ts";

export type ImageServiceDeps = {
  decoder: ImageDecoder;
  /** The decoder and the files of resized images. */
  resizing: { decoder: ImageDecoder; files: ResizedFiles };
  /** Each upload holds a connection while it is stored, so at most as many are stored at a time. */
  pool: pg.Pool;
  local: LocalStore;
  /** The configured provider; undefined for `local`. */
  provider: ImageProvider | undefined;
  /** Every provider that may have an image, for removing it. */
  providers: ImageProvider[];
  /** What a CID is put behind: https://example.org/ipfs */
  gatewayUrl: string;
  /** Room for images that no registration mentions. */
  budget: ImageBudget;
  /** With fewer bytes free on the disk, nothing is taken. */
  minFreeDiskBytes: number;
  /** Called when images were dropped that a provider may still have. */
  onEvicted(): void;
};

/** What the client gets: `size` in bytes, `width` and `height` in pixels. */
export type UploadedImage = ImageRecord & {
  mimeType: MimeType;
  /** ipfs://<CID>, to be used as the imageUrl of a registration. */
  url: string;
  gatewayUrl: string;
};

export type ImageService = {
  /** Takes the file of a multipart request. `client` is who sends it, as limits count clients, who take turns when images have to wait. Throws an ImageError. */
  upload(request: Request, client: string): Promise<UploadedImage>;
  /** Whose uploads are so many that one more of this client would be refused now: its own, or those of all; undefined if it would be taken. */
  whoUploadsTooMuch(client: string): "owner" | "everyone" | undefined;
  /** An image that was stored here. Throws an ImageError: 404 `image_not_found`, or 503 when the database can't be asked. */
  find(cid: string): Promise<ImageRecord>;
  /**
   * Looks whether the bytes are there. Throws an ImageError: 404 `image_not_here` when another replica has them, or 503
   * when the disk can't be read.
   */
  locate(image: ImageRecord): Promise<void>;
  /** The bytes, block by block, of which the first has been read and checked. Throws as `locate` does. */
  read(image: ImageRecord): Promise<AsyncGenerator<Uint8Array>>;
  /** It as a WebP of this width. Throws as `locate` does, or an ImageError 503 `busy`. `client` is who wants it. */
  readResized(image: ImageRecord, width: ResizedWidth, client: string): Promise<Buffer>;
  /** It as a PNG of at most this width and height, to draw with. Undefined where it isn't stored here. Throws as `readResized`. */
  readPicture(cid: string, width: number, client: string): Promise<Buffer | undefined>;
};

export function createImageService(deps: ImageServiceDeps): ImageService {
  const { pool, local, decoder, gatewayUrl, minFreeDiskBytes } = deps;
  const slots = createSlots({ ...uploadSlots, refuse: refuseUpload });
  // A connection of the pool is left for readers, and one for the sweep. It also bounds how many files are in memory.
  const store = createSemaphore({
    concurrency: Math.max(1, (pool.options.max ?? 10) - 2),
    maxWaiting: uploadSlots.max,
    refuse: () => refuseUpload("everyone"),
  });

  async function storeFile(received: Buffer, client: string): Promise<UploadedImage> {
    const { bytes, ...checked } = await checkImage(decoder, received, client);
    const dag = await buildDag(bytes);
    const image = { cid: dag.root.toString(), size: bytes.length, ...checked };
    await assertFreeDisk(local.folder, minFreeDiskBytes);
    await keepImage(deps, { image, bytes, dag, uploader: hashOf(client) });
    return { ...image, url: `ipfs://${image.cid}`, gatewayUrl: `${gatewayUrl}/${image.cid}` };
  }

  async function blocksOf({ cid, size }: ImageRecord) {
    const stored = await local.open(cid).catch(throwUnreadable);
    if (stored?.size !== size) throw notHere();
    return stored.blocks();
  }

  async function readStored({ cid }: ImageRecord): Promise<Buffer> {
    const stored = await local.read(cid).catch(throwUnreadable);
    if (stored === undefined) throw notHere();
    return stored;
  }

  const resized = createResizedImages({ ...deps.resizing, readStored });

  return {
    readResized: resized.webp,

    async readPicture(cid, width, client) {
      const image = await findImage(pool, cid).catch(throwUnreadable);
      return image && (await resized.png(image, width, client));
    },

    async upload(request, client) {
      const giveWay = new AbortController();
      const slot = slots.take(client, () => giveWay.abort());
      const spool = createSpool({ folder: local.unfinished, memoryBytes: receivingLimits.memoryBytes });
      try {
        await assertFreeDisk(local.folder, minFreeDiskBytes);
        await receiveImage(request, { spool, signal: giveWay.signal, onProgress: slot.touch });
        slot.protect();
        return await store(async () => storeFile(await spool.read().catch(throwUnwritable), client));
      } finally {
        slot.release();
        await spool.close();
      }
    },

    whoUploadsTooMuch: slots.reachedLimit,

    async find(cid) {
      const image = await findImage(pool, cid).catch(throwUnreadable);
      if (image === undefined)
        throw new ImageError(
          404,
          "image_not_found",
          "No image with this CID was uploaded here, or it was dropped.",
        );
      return image;
    },

    async locate(image) {
      await blocksOf(image);
    },

    async read(image) {
      const blocks = await blocksOf(image);
      const first = await blocks.next().catch((error) => {
        throw error instanceof BrokenBlockError ? notHere(error) : unreadable(error);
      });
      return startedWith(first, blocks);
    },
  };
}

async function* startedWith(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

function notHere(cause?: unknown): ImageError {
  if (cause !== undefined) console.error(`images: ${cause}`);
  return new ImageError(
    404,
    "image_not_here",
    "This image is not stored on this replica. Replicas have to share the folder images of DATA_DIR.",
  );
}

function unreadable(cause: unknown): ImageError {
  return storageUnavailable("Images can't be read now: ask again later.", cause);
}

const throwUnreadable = (cause: unknown) => {
  throw unreadable(cause);
};

const throwUnwritable = (cause: unknown) => {
  throw unwritable(cause);
};

/** Nobody needs to know the address itself. */
function hashOf(client: string): string {
  return createHash("sha256").update(client).digest("base64url");
}
