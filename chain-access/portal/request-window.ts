/**
 * Limits requests in a sliding window of time, first come, first served.
 *
 * @param now in milliseconds
 */
export function createRequestWindow(
  { requests, perMs }: { requests: number; perMs: number },
  now: () => number = () => performance.now(),
) {
  /** When the last requests were, or will be, sent. */
  const sent: number[] = [];
  let pausedUntil = 0;

  return {
    /** Reserves a slot for the next request. Returns the milliseconds to wait before sending it. */
    reserve(): number {
      const free = sent.length < requests ? 0 : (sent.shift() ?? 0) + perMs;
      const asked = now();
      const at = Math.max(asked, pausedUntil, free);
      sent.push(at);
      return at - asked;
    },

    /** Delays all requests that are reserved from now on. */
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, now() + ms);
    },
  };
}
