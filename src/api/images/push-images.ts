import type pg from "pg";
import { pause } from "../../../config/async.ts";
import { onPooledConnection } from "../../../offchain/connection.ts";
import {
  announcePin,
  confirmPin,
  findImage,
  type ImageRecord,
  listPins,
  listUnpinned,
  withImageLock,
} from "../../../offchain/image-store.ts";
import { buildDag } from "./dag.ts";
import type { LocalStore } from "./providers/local.ts";
import { type ImageProvider, ProviderError, type RemoteStore } from "./providers/provider.ts";

export type PushOptions = {
  pool: pg.Pool;
  local: LocalStore;
  provider: ImageProvider | RemoteStore;
  /** Called once before the first image, and after each. */
  onProgress?: (done: number, total: number) => void;
  /** Stops after the current image. */
  signal?: AbortSignal;
};

export type PushResult = { pushed: string[]; failed: { cid: string; reason: string }[] };

/** A free account may make three requests a second. */
const maxAttempts = 3;

/**
 * Pins every image of the local store that the provider has not confirmed yet, or that a remote store doesn't have, whatever it has
 * confirmed. Progress is recorded per image, so that another run continues where this one ended. An image that fails is skipped, and
 * named in the result.
 */
export async function pushImages(options: PushOptions): Promise<PushResult> {
  const { pool, provider, onProgress = () => {}, signal } = options;
  const images = await listUnpinned(pool, "has" in provider ? null : provider.name);
  const result: PushResult = { pushed: [], failed: [] };
  onProgress(0, images.length);
  for (const [index, image] of images.entries()) {
    if (signal?.aborted) break;
    try {
      if (await pushOne(options, image)) result.pushed.push(image.cid);
    } catch (error) {
      result.failed.push({ cid: image.cid, reason: describeError(error) });
    }
    onProgress(index + 1, images.length);
  }
  return result;
}

/** Resolves to whether the provider didn't have the image before. */
async function pushOne({ pool, local, provider, signal }: PushOptions, image: ImageRecord): Promise<boolean> {
  return await onPooledConnection(pool, (client) =>
    withImageLock(client, image.cid, async () => {
      // The sweep or an upload may have come first.
      if ((await findImage(client, image.cid)) === undefined) return false;
      const pin = (await listPins(client, image.cid)).find((one) => one.provider === provider.name);
      const isThere =
        "has" in provider
          ? await retryWhenBusy(() => provider.has(image.cid, image.size), signal)
          : pin?.confirmed === true;
      if (isThere && pin?.confirmed) return false;
      const bytes = isThere ? undefined : await local.read(image.cid);
      if (!isThere && bytes === undefined) throw new Error("it is missing in this DATA_DIR");
      await announcePin(client, image.cid, provider.name);
      const reference =
        bytes === undefined
          ? null
          : await retryWhenBusy(
              async () => provider.add({ ...image, bytes, dag: await buildDag(bytes) }),
              signal,
            );
      await confirmPin(client, image.cid, { provider: provider.name, reference });
      return !isThere;
    }),
  );
}

/** Retries while the provider is down or asks us to slow down, after the time that it names. */
async function retryWhenBusy<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const retryAfter =
        error instanceof ProviderError && error.status === 503 ? error.retryAfter : undefined;
      if (retryAfter === undefined || attempt === maxAttempts || signal?.aborted) throw error;
      await pause(Math.min(retryAfter, 60) * 1_000, signal);
    }
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
