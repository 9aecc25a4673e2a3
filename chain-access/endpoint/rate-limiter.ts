/** Requests per second: where learning begins, and how far it goes. */
const firstRate = 20;
const slowest = 1;
const fastest = 2_000;
/** Of the rate, what is added each second while all is answered: so a refusal comes every seven seconds. */
const growth = 0.03;
/** Of the rate, what may be sent at once after a pause. */
const burstSeconds = 0.5;
/** Milliseconds: faults that come together, from requests that were sent at the old rate, count once. */
const cutEveryMs = 1_000;
/** Milliseconds to pause after a 429 that does not say for how long. */
const pauseMs = 300;

/**
 * Learns how many requests per second an endpoint takes, as TCP learns a line's speed: double the rate each second until the
 * first refusal (slow start), then multiply by 0.8 at each refusal and grow by 3 % a second.
 *
 * @param now in milliseconds
 */
export function createRateLimiter(now: () => number = () => performance.now()) {
  let rate = firstRate;
  let isStarting = true;
  let tokens = firstRate * burstSeconds;
  let refilledAt = now();
  let pausedUntil = 0;
  let cutAt = Number.NEGATIVE_INFINITY;

  const burst = () => Math.max(1, rate * burstSeconds);

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

    /** Milliseconds until so many requests may be sent; 0: now. A batch that is larger than a burst waits for a full one. */
    waitFor(requests: number): number {
      refill();
      const missing = Math.min(requests, burst()) - tokens;
      return Math.max(0, pausedUntil - now(), (missing / rate) * 1_000);
    },

    /** Counts requests as sent. What exceeds the burst is owed. */
    take(requests: number): void {
      refill();
      tokens -= requests;
    },

    /** Learns from answers. */
    succeeded(requests: number): void {
      rate = Math.min(fastest, rate + requests * (isStarting ? 1 : growth));
    },

    /** Learns from a refusal. */
    refused(retryAfterMs: number = pauseMs): void {
      const at = now();
      pausedUntil = Math.max(pausedUntil, at + retryAfterMs);
      if (at - cutAt < cutEveryMs) return;
      cutAt = at;
      isStarting = false;
      rate = Math.max(slowest, rate * 0.8);
      tokens = 0;
      refilledAt = at;
    },
  };
}
