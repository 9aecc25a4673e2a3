import type pg from "pg";
import { admitImage, freshMinutes, type Uploader } from "../../../offchain/image-budget.ts";
import { withFreeImage, withImageLock } from "../../../offchain/image-locks.ts";
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
} from "../../../offchain/image-store.ts";
import type { Dag } from "./dag.ts";
import { ImageError, storageFull, unwritable } from "./image-error.ts";
import type { ImageServiceDeps } from "./image-service.ts";
import type { LocalStore } from "./providers/local.ts";
import { ProviderError } from "./providers/provider.ts";
import { withConnection } from "./with-connection.ts";

export type CheckedFile = { image: ImageRecord; bytes: Buffer; dag: Dag; uploader: Uploader };

/**
 * Stores a checked image: the row, the blocks, the pin, in this order, so that whatever a crash leaves is known
 * by its row and found by the sweep. What is there already is not stored again. When a step fails, everything
 * that this call has stored is removed.
 *
 * Throws a ProviderError, or an ImageError: 429 when the uploader has no room left, 503 when nobody has, or when the
 * database or the disk fails.
 */
export async function keepImage(deps: ImageServiceDeps, file: CheckedFile): Promise<void> {
  await withConnection(deps.pool, (client) =>
    withImageLock(client, file.image.cid, () => keepLocked(deps, client, file)),
  ).catch((error: unknown) => {
    throw error instanceof ImageError ? error : unwritable(error);
  });
}

async function keepLocked(deps: ImageServiceDeps, client: pg.PoolClient, file: CheckedFile): Promise<void> {
  const { local, provider } = deps;
  const { image, bytes, dag } = file;
  const provided = { cid: image.cid, mimeType: image.mimeType, bytes, dag };
  const isNew = await makeRoom(deps, client, file);
  const pin = (await listPins(client, image.cid)).find(({ provider: name }) => name === provider?.name);
  try {
    if (!(await local.isWhole(image.cid))) await local.add(provided);
    if (provider === undefined || pin?.confirmed) return;
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
      // The sweep will find what is left. The client is told the first reason.
      console.error(`images: ${image.cid} can't be removed yet: ${cleanupError}`);
    }
    throw error;
  }
}

/** Makes the image's row, and removes what has to go for it. Resolves to whether the image is new here. */
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
  for (const cid of evicted) await removeEvicted(local, client, cid);
  if (evicted.length > 0) onEvicted();
  return isNew;
}

/** Gives the disk back. What fails, and what providers have, is left to the sweep. */
async function removeEvicted(local: LocalStore, client: Queryable, cid: string): Promise<void> {
  await withFreeImage(client, cid, async () => {
    // Unless it was uploaded again.
    if ((await findImage(client, cid)) !== undefined) return;
    await local.remove(cid).catch((error) => console.error(`images: ${cid} can't be removed yet: ${error}`));
  });
}

/**
 * Removes an image that was marked as dropped from here and from the providers, and then its row. Resolves to the
 * errors of providers that did not remove it: the row stays, and the next sweep asks them again. A provider that
 * is not configured any more can't be asked and keeps what it has.
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
