import type { MiddlewareHandler } from "hono";
import type pg from "pg";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { problemResponse } from "../http/problem.ts";
import { createOwnCounter, createSharedCounter } from "./request-counter.ts";

const windowSeconds = 60;

export type RateLimitOptions = {
  /** The number of proxies in front of us whose X-Forwarded-For is trusted. */
  trustedHops: number;
  /** Counts in this database, for all replicas together. If undefined, counts in memory for this process alone. */
  sharedIn: pg.Pool | undefined;
};

/** Creates rate limiters. Each lets a client's first `quota` requests of a minute through and answers the others with 429. */
export function createRateLimit({ trustedHops, sharedIn }: RateLimitOptions) {
  const count =
    sharedIn === undefined ? createOwnCounter(windowSeconds) : createSharedCounter(sharedIn, windowSeconds);

  return function rateLimit(policy: string, quota: number): MiddlewareHandler {
    return async (c, next) => {
      const client = clientKey(clientIp(c, trustedHops));
      const { requests, endsAt } = await count({ policy, client, quota });
      const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1_000));
      // RateLimit header fields for HTTP, draft-ietf-httpapi-ratelimit-headers-11.
      const headers = {
        "RateLimit-Policy": `"${policy}";q=${quota};w=${windowSeconds}`,
        RateLimit: `"${policy}";r=${Math.max(0, quota - requests)};t=${seconds}`,
      };
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      if (requests <= quota) return await next();
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
