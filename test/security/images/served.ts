import { startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { serveChains } from "../../service/served-chains.ts";
import { temporaryFolder } from "../../service/temporary-folder.ts";

export type ImagesServed = Awaited<ReturnType<typeof serveImages>>;

/** A service with its own folder and a small image budget. */
export async function serveImages() {
  const [chain, place] = await Promise.all([startLaunchpadChain(), temporaryFolder()]);
  const env = {
    DATA_DIR: place.folder,
    // Lets a test choose the client's address.
    TRUST_PROXY: "1",
    // Room for two of the large images, not for three.
    IMAGES_UNREGISTERED_MB: "12",
    IMAGES_MIN_FREE_DISK_MB: "1",
  };
  return { ...(await serveChains([chain], { env })), folder: place.folder };
}
