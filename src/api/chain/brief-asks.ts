import { createRests } from "./rests.ts";

/** For what is a part of an answer that can do without it, and waits for it: it must not take long. */
export const briefLimits = { endpointMs: 1_000, totalMs: 1_500, maxBytes: 16 * 1_024 };

/** The returned function asks a chain. Resolves to undefined where it does not answer, or did not a moment ago. Never rejects. */
export function createBriefAsks() {
  const rests = createRests();
  return async <Answer>(chainId: number, ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    if (rests.isResting(chainId)) return undefined;
    try {
      const answer = await ask();
      rests.answered(chainId);
      return answer;
    } catch {
      rests.failed(chainId);
      return undefined;
    }
  };
}
