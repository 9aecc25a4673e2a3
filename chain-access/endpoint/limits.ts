import type { EndpointFault, FaultKind } from "./fault.ts";

/** The size of a request: the blocks of a range, the addresses of a filter, the calls in a batch. */
export type RequestSize = { blocks: number; addresses: number; calls: number };

const limitedBy: Partial<Record<FaultKind, keyof RequestSize>> = {
  range: "blocks",
  addresses: "addresses",
  batch: "calls",
};
/**
 * Milliseconds in which a learned limit doubles: it may have been raised, or learned from a fault that had another cause. Twice as
 * long each time that it turns out to hold, since finding that out can cost two time-outs.
 */
const doublesMs = { first: 60_000, longest: 3_600_000 };
/** Milliseconds after which an endpoint is asked for the logs of all contracts again. */
const anyAddressMs = 3_600_000;
/** A limit that has grown beyond this is forgotten. */
const highest: RequestSize = { blocks: 10_000_000, addresses: 10_000, calls: 1_000 };

/**
 * What an endpoint accepts in one request, as far as it has said so. Infinity: no limit is known.
 *
 * @param now in milliseconds
 */
export function createLimits(now: () => number = () => performance.now()) {
  const learned: Partial<Record<keyof RequestSize, { limit: number; at: number; doublesMs: number }>> = {};

  let refusedAnyAddressAt = Number.NEGATIVE_INFINITY;

  function current(name: keyof RequestSize): number {
    const known = learned[name];
    if (known === undefined) return Number.POSITIVE_INFINITY;
    const grown = known.limit * 2 ** doublings(known);
    return grown > highest[name] ? Number.POSITIVE_INFINITY : grown;
  }

  const doublings = ({ at, doublesMs }: { at: number; doublesMs: number }) =>
    Math.floor((now() - at) / doublesMs);

  /** How long the next limit takes to double. Refusals before the last one has doubled are of requests that were sent with it. */
  function nextDoublesMs(name: keyof RequestSize): number {
    const known = learned[name];
    if (known === undefined || current(name) === Number.POSITIVE_INFINITY) return doublesMs.first;
    return doublings(known) === 0 ? known.doublesMs : Math.min(doublesMs.longest, 2 * known.doublesMs);
  }

  return {
    get blocks(): number {
      return current("blocks");
    },
    get addresses(): number {
      return current("addresses");
    },
    get calls(): number {
      return current("calls");
    },

    /** Whether it returns the logs of all contracts, or hasn't been asked for them lately. */
    get takesAnyAddress(): boolean {
      return now() - refusedAnyAddressAt > anyAddressMs;
    },

    /** Learns from the refusal of a request: the limit that the endpoint named, or half of what was asked for. */
    learn({ kind, limit }: EndpointFault, asked: Partial<RequestSize>): void {
      if (kind === "unfiltered") refusedAnyAddressAt = now();
      const name = limitedBy[kind];
      if (name === undefined) return;
      const size = asked[name];
      if (size === undefined) return;
      const lower = limit !== undefined && limit < size ? limit : Math.max(1, Math.floor(size / 2));
      learned[name] = { limit: Math.min(lower, current(name)), at: now(), doublesMs: nextDoublesMs(name) };
    },
  };
}

/** Requests per second: where learning starts, and its bounds. */
const initialRate = 20;
const minRate = 1;
const maxRate = 2_000;
/** Added to the rate for each answered request until the first refusal: 20 a second become 150 within a second. */
const startGrowth = 2;
/** The share of the rate that is left after the first refusal: it outgrew the limit while the endpoint still allowed a burst. */
const startCut = 0.25;
/** The share of the rate that is added per second once a first refusal has shown roughly where the limit is. */
const growth = { max: 0.1, min: 0.0005 };
/** Milliseconds in which growth doubles after a refusal, so that a raised limit is found within minutes. */
const growthDoublesMs = 60_000;
/** Milliseconds: a refusal sooner than this after another means that the rate is still far too high. */
const calmMs = 5_000;
/** Seconds' worth of requests that may be sent at once after a pause. */
const burstSeconds = 0.5;
/** Milliseconds: refusals within this time, of requests that were sent at the old rate, count once. */
const cutEveryMs = 1_000;
/** Milliseconds to pause after a 429 without a Retry-After. */
const pauseMs = 300;

/**
 * Learns how many requests per second an endpoint accepts, as TCP learns a link's bandwidth. The rate grows fast until the first
 * refusal (slow start), falls to a quarter, and then grows by at most 10 % a second. The better the limit is known, the slower
 * the rate grows: a refusal after a calm period takes 5 % off it and makes its growth eight times slower.
 *
 * @param now in milliseconds
 */
export function createRateLimiter(now: () => number = () => performance.now()) {
  let rate = initialRate;
  let isStarting = true;
  let growthAtCut = growth.max;
  let tokens = initialRate * burstSeconds;
  let refilledAt = now();
  let pausedUntil = 0;
  let cutAt = Number.NEGATIVE_INFINITY;

  const burst = () => Math.max(1, rate * burstSeconds);

  const growthNow = () => Math.min(growth.max, growthAtCut * 2 ** ((now() - cutAt) / growthDoublesMs));

  function refill(): void {
    const at = now();
    tokens = Math.min(burst(), tokens + ((at - refilledAt) / 1_000) * rate);
    refilledAt = at;
  }

  return {
    /** Requests per second. */
    get rate(): number {
      return rate;
    },

    /** Milliseconds until this many requests may be sent; 0: now. A batch larger than a burst waits for a full burst. */
    waitFor(requests: number): number {
      refill();
      const missing = Math.min(requests, burst()) - tokens;
      return Math.max(0, pausedUntil - now(), (missing / rate) * 1_000);
    },

    /** Takes requests from the bucket. A batch larger than a burst leaves a debt that delays the next one. */
    take(requests: number): void {
      refill();
      tokens -= requests;
    },

    /** Raises the rate after requests that were answered. */
    succeeded(requests: number): void {
      rate = Math.min(maxRate, rate + requests * (isStarting ? startGrowth : growthNow()));
    },

    /** Lowers the rate after a refusal, and pauses. */
    refused(retryAfterMs: number = pauseMs): void {
      const at = now();
      pausedUntil = Math.max(pausedUntil, at + retryAfterMs);
      if (at - cutAt < cutEveryMs) return;
      if (isStarting) {
        isStarting = false;
        rate *= startCut;
      } else {
        const isCalm = at - cutAt >= calmMs;
        rate *= isCalm ? 0.95 : 0.8;
        growthAtCut = Math.max(growth.min, growthNow() / (isCalm ? 8 : 2));
      }
      rate = Math.max(minRate, rate);
      cutAt = at;
      tokens = 0;
      refilledAt = at;
    },
  };
}

const maxTimeoutMs = 15_000;
const minTimeoutMs = 2_000;
const initialTimeoutMs = 10_000;

/**
 * Learns how long an endpoint takes to answer, as TCP learns round-trip times (RFC 6298): the smoothed mean, in which each new
 * answer counts an eighth, and the mean deviation, in which it counts a quarter.
 */
export function createResponseTime() {
  let mean: number | undefined;
  let deviation = 0;

  return {
    /** Milliseconds; undefined before the first answer. */
    get mean(): number | undefined {
      return mean;
    },

    learn(milliseconds: number): void {
      if (mean === undefined) {
        mean = milliseconds;
        deviation = milliseconds / 2;
        return;
      }
      deviation += (Math.abs(milliseconds - mean) - deviation) / 4;
      mean += (milliseconds - mean) / 8;
    },

    /** Milliseconds after which an answer is late, so that it is worth asking another endpoint as well. */
    get lateAfterMs(): number {
      return mean === undefined ? minTimeoutMs : Math.min(maxTimeoutMs, Math.max(200, mean + 4 * deviation));
    },

    /**
     * Milliseconds after which a request is given up. Generous, because large answers take longer than the mean. Twice as long for each
     * time that this request has been given up, since the mean may be that of far smaller answers.
     */
    timeoutMs(timeouts = 0): number {
      const first =
        mean === undefined ? initialTimeoutMs : Math.max(minTimeoutMs, 4 * (mean + 4 * deviation));
      return Math.round(Math.min(maxTimeoutMs, first * 2 ** timeouts));
    },
  };
}

/** Splits items into parts of this size; the last may be smaller. */
export function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
