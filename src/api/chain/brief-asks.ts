/** For what is a part of an answer that can do without it, and waits for it: it must not take long. */
export const briefLimits = { endpointMs: 1_000, totalMs: 1_500, maxBytes: 16 * 1_024 };

/** Milliseconds for which endpoints that did not answer are not asked again. */
const restMs = 10_000;

/** The returned function asks a chain. Resolves to undefined where it does not answer, or did not a moment ago. Never rejects. */
export function createBriefAsks() {
  const resting = new Map<number, number>();
  return async <Answer>(chainId: number, ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    if (performance.now() < (resting.get(chainId) ?? 0)) return undefined;
    try {
      return await ask();
    } catch {
      resting.set(chainId, performance.now() + restMs);
      return undefined;
    }
  };
}
