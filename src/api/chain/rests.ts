/** Milliseconds for which the endpoints of a chain are not asked again after a failure. Each further one in a row doubles it, up to the longest. */
const rest = { firstMs: 500, longestMs: 10_000 };

/**
 * Remembers which chains did not answer, so that nobody waits for their endpoints while these are away. A single late answer
 * costs little.
 */
export function createRests(now: () => number = () => performance.now()) {
  const resting = new Map<number, { ms: number; until: number }>();
  const isResting = (chainId: number) => now() < (resting.get(chainId)?.until ?? 0);

  return {
    isResting,
    answered: (chainId: number): void => void resting.delete(chainId),
    failed(chainId: number): void {
      // Those that were asked at the same time count once.
      if (isResting(chainId)) return;
      const before = resting.get(chainId)?.ms;
      const ms = before === undefined ? rest.firstMs : Math.min(rest.longestMs, 2 * before);
      resting.set(chainId, { ms, until: now() + ms });
    },
  };
}
