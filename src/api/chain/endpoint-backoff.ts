/** How long a chain's endpoints are not asked after a failure. Each further failure in a row doubles it, up to the maximum. */
const delays = { firstMs: 500, maxMs: 10_000 };

/** Remembers which chains did not answer, so that requests don't wait for their endpoints while those are down. */
export function createEndpointBackoff(now: () => number = () => performance.now()) {
  const pauses = new Map<number, { ms: number; until: number }>();
  const isBackingOff = (chainId: number) => now() < (pauses.get(chainId)?.until ?? 0);

  return {
    isBackingOff,
    succeeded: (chainId: number): void => void pauses.delete(chainId),
    failed(chainId: number): void {
      // Concurrent failures count once.
      if (isBackingOff(chainId)) return;
      const previousMs = pauses.get(chainId)?.ms;
      const ms = previousMs === undefined ? delays.firstMs : Math.min(delays.maxMs, 2 * previousMs);
      pauses.set(chainId, { ms, until: now() + ms });
    },
  };
}
