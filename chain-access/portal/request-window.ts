/**
 * Keeps to a limit of requests in a sliding window of time, first come, first served.
 *
 * @param now in milliseconds
 */
export function createRequestWindow(
  { requests, perMs }: { requests: number; perMs: number },
  now: () => number = () => performance.now(),
) {
  /** When the last requests were sent, or are going to be. */
  const sent: number[] = [];
  let pausedUntil = 0;

  return {
    /** Reserves the next request. Returns the milliseconds to wait before sending it. */
    reserve(): number {
      const free = sent.length < requests ? 0 : (sent.shift() ?? 0) + perMs;
      const asked = now();
      const at = Math.max(asked, pausedUntil, free);
      sent.push(at);
      return at - asked;
    },

    /** Lets nothing that is reserved from now on be sent for a while. */
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, now() + ms);
    },
  };
}
