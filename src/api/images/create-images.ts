import path from "node:path";
import type { Environment } from "../../../config/env.ts";
import { onReload } from "../../../config/reload.ts";
import { createPool } from "../database/database.ts";
import { createOutbound } from "../http/outbound.ts";
import { createImageDecoder } from "./decoder/decoder.ts";
import { createImageFetcher } from "./fetch-image.ts";
import { createImageCopies } from "./image-copies.ts";
import { createImageService, type ImageService } from "./image-service.ts";
import { chooseProviders } from "./providers/choose.ts";
import { createLocalStore } from "./providers/local.ts";
import { createResizedFiles } from "./resized-images.ts";
import { startImageSweep } from "./sweep.ts";

/** Creates the image service from the environment, and starts the sweep that drops unused images. */
export function createImages({ databaseUrl, databaseSchema, dataDir, images }: Environment): ImageService {
  // A separate pool, since an upload holds a connection while it waits for a provider, or for another upload of the same bytes.
  const pool = createPool({
    url: databaseUrl,
    name: `${databaseSchema}_images`,
    connections: 6,
    statementSeconds: 120,
  });
  const local = createLocalStore(path.resolve(dataDir, "images"));
  const { provider, all, remote } = chooseProviders(images);

  const { gatewayUrl, budget, minFreeDiskBytes, resizedBytes, s3, fromUrls } = images;
  const copies = remote && s3 && createImageCopies({ pool, local, remote, bytes: s3.cacheBytes });

  const sweeping = startImageSweep({ pool, local, providers: all, copies, budget });
  const decoder = createImageDecoder();
  const resizer = createImageDecoder({ processes: 1 });
  onReload("images", () => Promise.all([sweeping.stop(), decoder.close(), resizer.close()]));
  const resizedFiles = createResizedFiles({
    folder: local.resized,
    unfinished: local.unfinished,
    bytes: resizedBytes,
  });
  return createImageService({
    decoder,
    resizing: { decoder: resizer, files: resizedFiles },
    pool,
    local,
    provider,
    providers: all,
    copies,
    gatewayUrl,
    budget,
    minFreeDiskBytes,
    fetchImage: fromUrls && createImageFetcher(createOutbound(fromUrls)),
    onEvicted: sweeping.scheduleSoon,
  });
}
