import type { MiddlewareHandler } from "hono";
import type pg from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { ignore, shareRun, within } from "../../../config/async.ts";
import { clientIp, clientKey } from "./client-ip.ts";
import { type Problem, problemResponse } from "./problem.ts";

const windowSeconds = 60;
/** A minute that ends later than this was begun before the clock was set back, or by a process whose clock is ahead. */
const latestEndMs = 2 * 1_000 * windowSeconds;

/** A kind of requests that share a quota. */
export type Policy = "reads" | "files" | "writes" | "uploads";

export type Refusal = Problem & { headers: Record<string, string> };

export type RateLimitOptions = {
  /** The number of proxies in front of us whose X-Forwarded-For is trusted. */
  trustedHops: number;
  /** Counts in this database, for all replicas together. If undefined, counts in memory for this process alone. */
  sharedIn: pg.Pool | undefined;
  /** Is told of clients that are refused. */
  refusals: Refusals;
};

/** Creates rate limiters. Each lets a client's first `quota` requests of a minute through and answers the others with 429. */
export function createRateLimit({ trustedHops, sharedIn, refusals }: RateLimitOptions) {
  return function rateLimit(policy: Policy, quota: number): MiddlewareHandler {
    const inMemory = new RateLimiterMemory({ keyPrefix: policy, points: quota, duration: windowSeconds });
    const consume =
      sharedIn === undefined
        ? (key: string) => count(inMemory, key)
        : insure(
            new RateLimiterPostgres({
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
            }),
            inMemory,
          );

    return async (c, next) => {
      const key = clientKey(clientIp(c, trustedHops));
      const { used, isOver } = await consume(key).then(
        (result) => ({ used: result, isOver: false }),
        (reason: unknown) => {
          if (!(reason instanceof RateLimiterRes)) throw reason;
          return { used: reason, isOver: true };
        },
      );
      const headers = rateLimitHeaders(policy, quota, used);
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      if (!isOver) return await next();
      refusals.add(policy, key, { quota, msBeforeNext: used.msBeforeNext });
      return problemResponse(c, tooManyRequests(quota, used));
    };
  };
}

/**
 * Counts a client's request. Throws a RateLimiterRes if that is one too many. The limiters note the time of day at which a minute ends: one
 * that ends too late is begun anew, or clients would be refused until then.
 */
async function count(
  limiter: Pick<RateLimiterMemory, "consume" | "delete">,
  key: string,
): Promise<RateLimiterRes> {
  const counted = limiter.consume(key);
  const { msBeforeNext = 0 } = await counted.catch((reason: unknown) => reason as Partial<RateLimiterRes>);
  if (msBeforeNext <= latestEndMs) return await counted;
  await limiter.delete(key);
  return await limiter.consume(key);
}

/** Milliseconds for the database to count a request, before it counts as away. */
const countMs = 1_000;

/**
 * Counts in memory while the database is away, which neither lets everything through nor refuses everything. Only one question at a time
 * then waits for the database, and no request: it may be silent, and each would wait for seconds.
 */
function insure(shared: RateLimiterPostgres, inMemory: RateLimiterMemory) {
  let isAway = false;
  const ask = shareRun((key: string) =>
    shared.get(key).then(() => {
      isAway = false;
    }, ignore),
  );

  return async (key: string): Promise<RateLimiterRes> => {
    if (isAway) {
      void ask(key);
      return await count(inMemory, key);
    }
    const late = () => {
      throw new Error("the database has not counted the request in time");
    };
    return await within(countMs, count(shared, key), late).catch((reason: unknown) => {
      if (reason instanceof RateLimiterRes) throw reason;
      isAway = true;
      return count(inMemory, key);
    });
  };
}

type Used = { remainingPoints: number; msBeforeNext: number };

const secondsLeft = ({ msBeforeNext }: Pick<Used, "msBeforeNext">) =>
  Math.max(1, Math.ceil(msBeforeNext / 1_000));

/** RateLimit header fields for HTTP, draft-ietf-httpapi-ratelimit-headers-11. */
function rateLimitHeaders(policy: Policy, quota: number, used: Used): Record<string, string> {
  return {
    "RateLimit-Policy": `"${policy}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${policy}";r=${Math.max(0, used.remainingPoints)};t=${secondsLeft(used)}`,
  };
}

function tooManyRequests(quota: number, used: Pick<Used, "msBeforeNext">): Problem {
  const seconds = secondsLeft(used);
  return {
    status: 429,
    code: "too_many_requests",
    detail: `${quota} of these requests a minute are allowed: try again in ${seconds} s.`,
    retryAfter: seconds,
  };
}

/** More clients than this at a time are not remembered, and are refused by their count as before. */
const maxRefusals = 10_000;

/** The clients that have used up a quota, until its minute is over, so that refusing them again costs next to nothing. */
export class Refusals {
  readonly #ends = new Map<string, { quota: number; at: number }>();

  add(
    policy: Policy,
    client: string,
    { quota, msBeforeNext }: { quota: number; msBeforeNext: number },
  ): void {
    const now = performance.now();
    if (this.#ends.size >= maxRefusals) {
      for (const [key, { at }] of this.#ends) if (at <= now) this.#ends.delete(key);
      if (this.#ends.size >= maxRefusals) return;
    }
    this.#ends.set(`${policy} ${client}`, { quota, at: now + msBeforeNext });
  }

  find(policy: Policy, client: string): Refusal | undefined {
    const key = `${policy} ${client}`;
    const end = this.#ends.get(key);
    if (end === undefined) return undefined;
    const used = { remainingPoints: 0, msBeforeNext: end.at - performance.now() };
    if (used.msBeforeNext <= 0) {
      this.#ends.delete(key);
      return undefined;
    }
    const headers = rateLimitHeaders(policy, end.quota, used);
    return { ...tooManyRequests(end.quota, used), headers };
  }
}
