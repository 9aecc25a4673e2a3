import { dropUnused, listDroppable, withImageLock, withSweepLock } from "../../../../offchain/image-store.ts";
import type { ImageParts } from "./image-service.ts";
import { removeDropped } from "./keep-image.ts";
import { keepUnusedHours } from "./limits.ts";

export type SweepParts = Pick<ImageParts, "pool" | "local" | "providers">;

/** Images that are gone now, and those that a provider would not remove, for which the next sweep asks again. */
export type SweepResult = { dropped: string[]; failed: { cid: string; errors: unknown[] }[] };

const HOUR_MS = 3_600_000;

/**
 * Drops the uploads that no registration has mentioned within 24 hours. One replica at a time: resolves to
 * undefined when another one is at it. Throws the driver's error when the database fails.
 */
export async function sweepImages(parts: SweepParts): Promise<SweepResult | undefined> {
  await parts.local.tidy();
  const client = await parts.pool.connect();
  let failed = true;
  try {
    const swept = await withSweepLock(client, async () => {
      const result: SweepResult = { dropped: [], failed: [] };
      for (const cid of await listDroppable(client, keepUnusedHours)) {
        await withImageLock(client, cid, async () => {
          if (!(await dropUnused(client, cid, keepUnusedHours))) return;
          const errors = await removeDropped(parts, client, cid);
          if (errors.length === 0) result.dropped.push(cid);
          else result.failed.push({ cid, errors });
        });
      }
      return result;
    });
    failed = false;
    return swept;
  } finally {
    client.release(failed);
  }
}

/** Sweeps now and then every hour. `stop` ends that and waits for a sweep under way. */
export function startSweeping(
  parts: SweepParts,
  { everyMs = HOUR_MS, log = console.log }: { everyMs?: number; log?: (line: string) => void } = {},
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const sweep = async () => {
    try {
      const result = await sweepImages(parts);
      if (result === undefined || result.dropped.length + result.failed.length === 0) return;
      log(`images: dropped ${result.dropped.length} that no registration mentions`);
      for (const { cid, errors } of result.failed)
        log(`images: ${cid} can't be removed yet: ${errors.join("; ")}`);
    } catch (error) {
      log(`images: the sweep failed and is tried again in an hour: ${error}`);
    }
  };
  const start = () => {
    running ??= sweep().finally(() => {
      running = undefined;
    });
  };
  start();
  const timer = setInterval(start, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
