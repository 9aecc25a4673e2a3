/** Milliseconds. */
const slowest = 15_000;
const quickest = 2_000;
const first = 10_000;

/**
 * Learns how long an endpoint takes, as TCP does for a line (RFC 6298): the mean and the mean deviation, each new answer
 * counting an eighth and a quarter.
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

    /** Milliseconds after which an answer is late, so that it is worth asking someone else as well. */
    get late(): number {
      return mean === undefined ? quickest : Math.min(slowest, Math.max(200, mean + 4 * deviation));
    },

    /** Milliseconds after which no answer is expected any more. Large answers take longer than the mean, so it is generous. */
    get timeout(): number {
      return mean === undefined
        ? first
        : Math.round(Math.min(slowest, Math.max(quickest, 4 * (mean + 4 * deviation))));
    },
  };
}
