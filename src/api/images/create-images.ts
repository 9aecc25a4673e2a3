import path from "node:path";
import type { Environment } from "../../../config/env.ts";
import { createPool } from "../database/database.ts";
import { createImageDecoder, type ImageDecoder } from "./decoder/decoder.ts";
import { createImageService, type ImageService } from "./image-service.ts";
import { chooseProviders } from "./providers/choose.ts";
import { createLocalStore } from "./providers/local.ts";
import { createResizedFiles } from "./resized-files.ts";
import { type Sweeping, startSweeping } from "./sweep.ts";

// Ponder runs the API anew when a file of it is edited, in the same process.
const running = globalThis as {
  LAUNCHPAD_IMAGE_SWEEP?: Sweeping;
  LAUNCHPAD_IMAGE_DECODERS?: ImageDecoder[];
};

/** Images under the configured settings, and the sweep that drops unused ones. */
export function createImages({ databaseUrl, databaseSchema, dataDir, images }: Environment): ImageService {
  // Connections of their own: an upload holds one while a provider takes its time, and another upload of the same bytes
  // waits for that.
  const pool = createPool({
    url: databaseUrl,
    name: `${databaseSchema}_images`,
    connections: 6,
    statementSeconds: 120,
  });
  const local = createLocalStore(path.resolve(dataDir, "images"));
  const { provider, all } = chooseProviders(images);

  const { gatewayUrl, budget, minFreeDiskBytes, resizedBytes } = images;

  void running.LAUNCHPAD_IMAGE_SWEEP?.stop();
  const sweeping = startSweeping({ pool, local, providers: all, budget });
  running.LAUNCHPAD_IMAGE_SWEEP = sweeping;
  const onEvicted = sweeping.soon;

  // Its processes end with this one by themselves.
  for (const decoder of running.LAUNCHPAD_IMAGE_DECODERS ?? []) void decoder.close();
  const decoder = createImageDecoder();
  const resizer = createImageDecoder({ processes: 1 });
  running.LAUNCHPAD_IMAGE_DECODERS = [decoder, resizer];
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
    gatewayUrl,
    budget,
    minFreeDiskBytes,
    onEvicted,
  });
}
