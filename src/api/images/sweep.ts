import { onPooledConnection } from "../../../offchain/connection.ts";
import { enforceBudget } from "../../../offchain/image-budget.ts";
import {
  dropUnused,
  listDroppable,
  type Queryable,
  recheckMentions,
  withImageLock,
  withSweepLock,
} from "../../../offchain/image-store.ts";
import type { ImageServiceDeps } from "./image-service.ts";
import { unusedRetentionHours } from "./limits.ts";
import { removeDropped } from "./store-image.ts";

export type SweepDeps = Pick<ImageServiceDeps, "pool" | "local" | "providers" | "copies" | "budget">;

/** Images that were removed, and those that a provider failed to remove, which the next sweep tries again. */
export type SweepResult = { dropped: string[]; failed: { cid: string; errors: unknown[] }[] };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const pageSize = 1_000;

/**
 * Drops uploads that no registration has mentioned within 24 hours, and the oldest ones beyond the budget. One replica sweeps at a
 * time: resolves to undefined if another one is sweeping. Throws the driver's error if the database fails.
 */
export async function sweepImages(deps: SweepDeps): Promise<SweepResult | undefined> {
  await deps.local.tidy();
  await deps.copies?.cleanUp();
  return await onPooledConnection(deps.pool, (client) =>
    withSweepLock(client, async () => {
      const result: SweepResult = { dropped: [], failed: [] };
      await recheckMentions(client);
      await enforceBudget(client, deps.budget);
      for await (const cid of droppable(client)) {
        await withImageLock(client, cid, async () => {
          if (!(await dropUnused(client, cid, unusedRetentionHours))) return;
          const errors = await removeDropped(deps, client, cid);
          if (errors.length === 0) result.dropped.push(cid);
          else result.failed.push({ cid, errors });
        });
      }
      return result;
    }),
  );
}

async function* droppable(client: Queryable): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const page = await listDroppable(client, { hours: unusedRetentionHours, after, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

export type ImageSweepOptions = { everyMs?: number; soonMs?: number; log?: (line: string) => void };

/** Sweeps immediately, and then every hour. */
export function startImageSweep(
  deps: SweepDeps,
  { everyMs = HOUR_MS, soonMs = MINUTE_MS, log = console.log }: ImageSweepOptions = {},
) {
  let running: Promise<void> | undefined;
  let next: NodeJS.Timeout | undefined;
  let isStopped = false;
  const sweep = async () => {
    try {
      const result = await sweepImages(deps);
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
  /** The sweep that is running may be past what this one is for. */
  const startAnother = () => {
    if (running === undefined) start();
    else void running.then(() => !isStopped && start());
  };
  start();
  const timer = setInterval(start, everyMs);
  timer.unref();
  return {
    /** Schedules an extra sweep within a minute. */
    scheduleSoon(): void {
      next ??= setTimeout(() => {
        next = undefined;
        startAnother();
      }, soonMs);
      next.unref();
    },
    /** Stops sweeping, and waits for the current sweep. */
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(next);
      await running;
    },
  };
}
