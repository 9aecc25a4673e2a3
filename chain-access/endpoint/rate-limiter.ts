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
