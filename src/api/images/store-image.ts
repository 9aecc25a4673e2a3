import type pg from "pg";
import { onPooledConnection } from "../../../offchain/connection.ts";
import { admitImage, freshMinutes, type Uploader } from "../../../offchain/image-budget.ts";
import {
  announcePin,
  confirmPin,
  deleteImage,
  deletePin,
  findImage,
  type ImageRecord,
  listPins,
  markDropped,
  type Queryable,
  withFreeImage,
  withImageLock,
} from "../../../offchain/image-store.ts";
import type { Dag } from "./dag.ts";
import { ImageError, storageFull, unwritable } from "./image-error.ts";
import type { ImageServiceDeps } from "./image-service.ts";
import type { LocalStore } from "./providers/local.ts";
import { ProviderError } from "./providers/provider.ts";

export type CheckedFile = { image: ImageRecord; bytes: Buffer; dag: Dag; uploader: Uploader };

/**
 * Stores a checked image: first its row, then the blocks, then the pin, so that after a crash the sweep finds by the row whatever is
 * left. What exists already is not stored again. If a step fails, everything that this call has stored is removed.
 *
 * Throws a ProviderError, or an ImageError: 429 if the uploader has no room left, 503 if nobody has, or if the database or the disk
 * fails.
 */
export async function storeImage(deps: ImageServiceDeps, file: CheckedFile): Promise<void> {
  await onPooledConnection(deps.pool, (client) =>
    withImageLock(client, file.image.cid, () => storeLocked(deps, client, file)),
  ).catch((error: unknown) => {
    throw error instanceof ImageError ? error : unwritable(error);
  });
}

async function storeLocked(deps: ImageServiceDeps, client: pg.PoolClient, file: CheckedFile): Promise<void> {
  const { local, provider } = deps;
  const { image, bytes, dag } = file;
  const provided = { cid: image.cid, mimeType: image.mimeType, bytes, dag };
  const isNew = await makeRoom(deps, client, file);
  const pin = (await listPins(client, image.cid)).find(({ provider: name }) => name === provider?.name);
  try {
    if (!(await local.isComplete(image.cid))) await local.add(provided);
    // An object in S3 is written again, in case it was lost: no copy here replaces it.
    if (provider === undefined || (pin?.confirmed && provider.name !== "s3")) return;
    await announcePin(client, image.cid, provider.name);
    const reference = await provider.add(provided);
    await confirmPin(client, image.cid, { provider: provider.name, reference });
  } catch (error) {
    const untouched = error instanceof ProviderError && !error.maybeStored;
    try {
      if (untouched && provider !== undefined && pin === undefined)
        await deletePin(client, image.cid, provider.name);
      if (isNew) {
        await markDropped(client, image.cid);
        await removeDropped(deps, client, image.cid);
      }
    } catch (cleanupError) {
      // The sweep will remove what is left. The client gets the original error.
      console.error(`images: ${image.cid} can't be removed yet: ${cleanupError}`);
    }
    throw error;
  }
}

/** Inserts the image's row, and removes the images evicted for it. Resolves to whether the image is new here. */
async function makeRoom(
  { local, budget, onEvicted }: ImageServiceDeps,
  client: pg.PoolClient,
  { image, uploader }: CheckedFile,
): Promise<boolean> {
  const admission = await admitImage(client, image, { uploader, budget });
  const { isNew, evicted } = admission;
  if (admission.refused === "room") throw storageFull("the budget is full of fresh uploads");
  if (isNew === undefined)
    throw new ImageError(
      429,
      "too_many_uploads",
      `Your address has uploaded too much that no registration mentions yet: register it, or try again in ${freshMinutes} minutes.`,
      { retryAfter: freshMinutes * 60 },
    );
  for (const cid of evicted) await removeUnlisted(local, client, cid);
  if (evicted.length > 0) onEvicted();
  return isNew;
}

/** Frees the disk space of an image that was dropped. The sweep does the rest: what fails here, and the copies of providers. */
export async function removeUnlisted(local: LocalStore, client: Queryable, cid: string): Promise<void> {
  await withFreeImage(client, cid, async () => {
    // Unless it was uploaded again.
    if ((await findImage(client, cid)) !== undefined) return;
    await local.remove(cid).catch((error) => console.error(`images: ${cid} can't be removed yet: ${error}`));
  });
}

/**
 * Removes an image that was marked as dropped, from the local store and from the providers, and then its row. Resolves to the errors
 * of providers that failed to remove it: then the row stays, and the next sweep tries again. A provider that is no longer configured
 * can't be asked, and keeps its copy.
 */
export async function removeDropped(
  { local, providers }: Pick<ImageServiceDeps, "local" | "providers">,
  client: Queryable,
  cid: string,
): Promise<unknown[]> {
  await local.remove(cid);
  const errors: unknown[] = [];
  for (const pin of await listPins(client, cid)) {
    try {
      await providers.find(({ name }) => name === pin.provider)?.remove(cid, pin.reference);
      await deletePin(client, cid, pin.provider);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 0) await deleteImage(client, cid);
  return errors;
}
