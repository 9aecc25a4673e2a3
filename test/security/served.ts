import { expect } from "vitest";
import { startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { registrationOf } from "../service/registration.ts";
import { serveChains } from "../service/served-chains.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

export type AttackedService = Awaited<ReturnType<typeof serveAttacked>>;

/** A service on its own database, with one registered token, its own folder and a small image budget. */
export async function serveAttacked() {
  const [chain, place] = await Promise.all([startLaunchpadChain(), temporaryFolder()]);
  const env = {
    DATA_DIR: place.folder,
    // Lets a test choose the client's address.
    TRUST_PROXY: "1",
    // Room for two of the large images, not for three.
    IMAGES_UNREGISTERED_MB: "12",
    IMAGES_MIN_FREE_DISK_MB: "1",
  };
  const [creator] = chain.traders;
  const mint = await chain.create(creator);
  const served = await serveChains([chain], { env });
  expect((await served.rest.post("/api/tokens", registrationOf(mint, creator))).status).toBe(201);
  return { ...served, folder: place.folder, mint: mint.toLowerCase() };
}
