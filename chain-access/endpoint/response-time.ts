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

    /** Milliseconds after which a request is given up. Generous, because large answers take longer than the mean. */
    get timeoutMs(): number {
      return mean === undefined
        ? initialTimeoutMs
        : Math.round(Math.min(maxTimeoutMs, Math.max(minTimeoutMs, 4 * (mean + 4 * deviation))));
    },
  };
}
