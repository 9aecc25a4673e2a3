import type { MiddlewareHandler } from "hono";
import type pg from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { clientIp, clientKey } from "./client-ip.ts";
import { problemResponse } from "./problem.ts";

const windowSeconds = 60;

export type RateLimitOptions = {
  /** The number of proxies in front of us whose X-Forwarded-For is trusted. */
  trustedHops: number;
  /** Counts in this database, for all replicas together. If undefined, counts in memory for this process alone. */
  sharedIn: pg.Pool | undefined;
};

/** Creates rate limiters. Each lets a client's first `quota` requests of a minute through and answers the others with 429. */
export function createRateLimit({ trustedHops, sharedIn }: RateLimitOptions) {
  return function rateLimit(policy: string, quota: number): MiddlewareHandler {
    const inMemory = new RateLimiterMemory({ keyPrefix: policy, points: quota, duration: windowSeconds });
    const limiter =
      sharedIn === undefined
        ? inMemory
        : new RateLimiterPostgres({
            storeClient: sharedIn,
            storeType: "pool",
            schemaName: "offchain",
            tableName: "rate_limit",
            tableCreated: true,
            clearExpiredByTimeout: true,
            keyPrefix: policy,
            points: quota,
            duration: windowSeconds,
            // A flood must not keep the database busy: a client beyond its limit is refused without asking again.
            inMemoryBlockOnConsumed: quota + 1,
            // While the database is down, neither let everything through nor refuse everything.
            insuranceLimiter: inMemory,
          });

    return async (c, next) => {
      const key = clientKey(clientIp(c, trustedHops));
      const { used, isOver } = await limiter.consume(key).then(
        (result) => ({ used: result, isOver: false }),
        (reason: unknown) => {
          if (!(reason instanceof RateLimiterRes)) throw reason;
          return { used: reason, isOver: true };
        },
      );
      const seconds = Math.max(1, Math.ceil(used.msBeforeNext / 1_000));
      // RateLimit header fields for HTTP, draft-ietf-httpapi-ratelimit-headers-11.
      const headers = {
        "RateLimit-Policy": `"${policy}";q=${quota};w=${windowSeconds}`,
        RateLimit: `"${policy}";r=${Math.max(0, used.remainingPoints)};t=${seconds}`,
      };
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      if (!isOver) return await next();
      return problemResponse(c, {
        status: 429,
        code: "too_many_requests",
        title: "Too many requests",
        detail: `${quota} of these requests a minute are allowed: try again in ${seconds} s.`,
        retryAfter: seconds,
      });
    };
  };
}
