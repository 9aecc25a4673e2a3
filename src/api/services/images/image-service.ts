import type pg from "pg";
import { findImage, type ImageRecord } from "../../../../offchain/image-store.ts";
import { checkImage } from "./check-image.ts";
import { buildDag } from "./dag.ts";
import { ImageError, storageUnavailable } from "./image-error.ts";
import { keepImage } from "./keep-image.ts";
import { imageLimits } from "./limits.ts";
import type { LocalStore } from "./providers/local.ts";
import type { ImageProvider } from "./providers/provider.ts";
import { receiveImage } from "./receive-image.ts";
import { createUploadTurns } from "./turns.ts";

export type ImageParts = {
  /** Each upload holds a connection while it is stored, so at most as many are stored at a time. */
  pool: pg.Pool;
  local: LocalStore;
  /** The configured provider; undefined for `local`. */
  provider: ImageProvider | undefined;
  /** Every provider that may have an image, for removing it. */
  providers: ImageProvider[];
  /** What a CID is put behind: https://example.org/ipfs */
  gatewayUrl: string;
};

/** What the client gets: `size` in bytes, `width` and `height` in pixels. */
export type UploadedImage = ImageRecord & {
  /** ipfs://<CID>, to be used as the imageUrl of a registration. */
  url: string;
  gatewayUrl: string;
};

export type ImageService = {
  /** Takes the file of a multipart request. Throws an ImageError. */
  upload(request: Request): Promise<UploadedImage>;
  /**
   * A stored image with its checked type. Throws an ImageError 404: `image_not_found`, or `image_not_here` when
   * another replica has the bytes; or 503 when the database can't be asked.
   */
  read(cid: string): Promise<{ image: ImageRecord; bytes: Buffer }>;
};

export function createImageService(parts: ImageParts): ImageService {
  const { pool, local, gatewayUrl } = parts;
  const takeUpload = createUploadTurns({ running: imageLimits.uploads, waiting: 0 });
  const decode = createUploadTurns(imageLimits.decoding);
  // One connection of the pool is left for everything else.
  const store = createUploadTurns({
    running: Math.max(1, (pool.options.max ?? 10) - 1),
    waiting: imageLimits.uploads,
  });

  return {
    upload: (request) =>
      takeUpload(async () => {
        const received = await receiveImage(request);
        const { bytes, ...checked } = await decode(() => checkImage(received));
        const dag = await buildDag(bytes);
        const image = { cid: dag.root.toString(), size: bytes.length, ...checked };
        await store(() => keepImage(parts, { image, bytes, dag }));
        return { ...image, url: `ipfs://${image.cid}`, gatewayUrl: `${gatewayUrl}/${image.cid}` };
      }),

    async read(cid) {
      const image = await findImage(pool, cid).catch((cause) => {
        throw storageUnavailable("Images can't be read now: ask again later.", cause);
      });
      if (image === undefined)
        throw new ImageError(
          404,
          "image_not_found",
          "No image with this CID was uploaded here, or it was dropped.",
        );
      const bytes = await local.read(cid);
      if (bytes === undefined)
        throw new ImageError(
          404,
          "image_not_here",
          "This image is not stored on this replica. Replicas have to share the folder images of DATA_DIR.",
        );
      return { image, bytes };
    },
  };
}
