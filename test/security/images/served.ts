import { startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { serveChains } from "../../service/served-chains.ts";
import { temporaryFolder } from "../../service/temporary-folder.ts";

export type ImagesServed = Awaited<ReturnType<typeof serveImages>>;

/** A service with a folder of its own and little room for images. */
export async function serveImages() {
  const [chain, place] = await Promise.all([startLaunchpadChain(), temporaryFolder()]);
  const env = {
    DATA_DIR: place.folder,
    // The address of a client is what the test says it is.
    TRUST_PROXY: "1",
    // Two of the large images, and no third one.
    IMAGES_UNREGISTERED_MB: "12",
    IMAGES_MIN_FREE_DISK_MB: "1",
  };
  return { ...(await serveChains([chain], { env })), folder: place.folder };
}
