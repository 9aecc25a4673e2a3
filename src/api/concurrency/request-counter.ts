import { LRUCache } from "lru-cache";
import type pg from "pg";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { countRequests, deleteOldCounts, type RequestCount } from "../../../offchain/rate-limit-store.ts";
import { createBatchLoader } from "./batch-loader.ts";

/** Counts a client's request under a policy. Resolves to the count, this request included. Never rejects. */
export type CountRequest = (request: {
  policy: string;
  client: string;
  quota: number;
}) => Promise<RequestCount>;

const deleteEveryMs = 300_000;

/** Counts in memory, for this process alone. */
export function createOwnCounter(windowSeconds: number): CountRequest {
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds });
  return async ({ policy, client }) => {
    const { consumedPoints, msBeforeNext } = await limiter.consume(`${policy}:${client}`);
    return { requests: consumedPoints, endsAt: Date.now() + msBeforeNext };
  };
}

/**
 * Counts in the database, for all replicas together. All requests that arrive while a statement runs are counted by the next one, so
 * that a crowd waits for two statements, not for its length; and a client beyond its quota costs none.
 */
export function createSharedCounter(pool: pg.Pool, windowSeconds: number): CountRequest {
  type Request = { key: string };
  const countTogether = createBatchLoader<Request, RequestCount>(countBatch, {
    maxKeys: Number.POSITIVE_INFINITY,
    concurrency: 1,
  });
  // While the database is down, neither let everything through nor refuse everything.
  const countAlone = createOwnCounter(windowSeconds);
  const exhausted = new LRUCache<string, RequestCount>({ max: 10_000 });
  let deletedAt = Date.now();

  async function countBatch(requests: Request[]): Promise<Map<Request, RequestCount>> {
    deleteSometimes();
    const added = new Map<string, number>();
    for (const { key } of requests) added.set(key, (added.get(key) ?? 0) + 1);
    const counts = await countRequests(pool, added, windowSeconds * 1_000);
    const counted = new Map<Request, RequestCount>();
    for (const request of requests.toReversed()) {
      const count = counts.get(request.key);
      if (count === undefined) continue;
      counted.set(request, { ...count });
      // The one before it came one request earlier.
      count.requests--;
    }
    return counted;
  }

  function deleteSometimes(): void {
    if (Date.now() - deletedAt < deleteEveryMs) return;
    deletedAt = Date.now();
    // What is left is deleted the next time.
    void deleteOldCounts(pool).catch(() => {});
  }

  return async (request) => {
    const key = `${request.policy}:${request.client}`;
    const known = exhausted.get(key);
    if (known !== undefined && Date.now() < known.endsAt) return known;
    const asked = { key };
    const counted = await countTogether([asked]).catch(() => undefined);
    const count = counted?.get(asked) ?? (await countAlone(request));
    if (count.requests > request.quota) exhausted.set(key, count);
    return count;
  };
}
