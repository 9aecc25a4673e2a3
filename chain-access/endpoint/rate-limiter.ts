/** Requests per second: where learning begins, and how far it goes. */
const firstRate = 20;
const slowest = 1;
const fastest = 2_000;
/** Of the requests that are answered before the first refusal, how many are added to the rate: 20 become 150 in a second. */
const startGrowth = 2;
/** Of the rate, what is left at the first refusal: it has grown beyond the limit while a burst was still allowed. */
const startCut = 0.25;
/** Of the rate, what is added each second while all is answered, once a first refusal has told about where the limit is. */
const growth = { most: 0.1, least: 0.0005 };
/** Milliseconds in which growth doubles after a refusal: a limit that was raised is found again in some minutes. */
const growthDoublesMs = 60_000;
/** Milliseconds: a refusal so soon after another means that the rate is still far too high. */
const calmMs = 5_000;
/** Of the rate, what may be sent at once after a pause. */
const burstSeconds = 0.5;
/** Milliseconds: faults that come together, from requests that were sent at the old rate, count once. */
const cutEveryMs = 1_000;
/** Milliseconds to pause after a 429 that does not say for how long. */
const pauseMs = 300;

/**
 * Learns how many requests per second an endpoint takes, as TCP learns a line's speed. The rate grows fast until the first
 * refusal (slow start), goes back to a quarter, and then grows by 10 % a second at most. The closer it is known, the slower it grows:
 * a refusal after a calm while takes 5 % off the rate, and makes growth eight times slower.
 *
 * @param now in milliseconds
 */
export function createRateLimiter(now: () => number = () => performance.now()) {
  let rate = firstRate;
  let isStarting = true;
  let growthAtCut = growth.most;
  let tokens = firstRate * burstSeconds;
  let refilledAt = now();
  let pausedUntil = 0;
  let cutAt = Number.NEGATIVE_INFINITY;

  const burst = () => Math.max(1, rate * burstSeconds);

  const growthNow = () => Math.min(growth.most, growthAtCut * 2 ** ((now() - cutAt) / growthDoublesMs));

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
      rate = Math.min(fastest, rate + requests * (isStarting ? startGrowth : growthNow()));
    },

    /** Learns from a refusal. */
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
        growthAtCut = Math.max(growth.least, growthNow() / (isCalm ? 8 : 2));
      }
      rate = Math.max(slowest, rate);
      cutAt = at;
      tokens = 0;
      refilledAt = at;
    },
  };
}
