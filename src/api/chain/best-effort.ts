import { createEndpointBackoff } from "./endpoint-backoff.ts";

/** Limits for optional parts of an answer: the client waits for them, so they must not take long. */
export const bestEffortLimits = { endpointMs: 1_000, totalMs: 1_500, maxBytes: 16 * 1_024 };

/** The returned function asks a chain, and resolves to undefined if the chain does not answer or recently did not. It never rejects. */
export function createBestEffort() {
  const backoff = createEndpointBackoff();
  return async <Answer>(chainId: number, ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    if (backoff.isBackingOff(chainId)) return undefined;
    try {
      const answer = await ask();
      backoff.succeeded(chainId);
      return answer;
    } catch {
      backoff.failed(chainId);
      return undefined;
    }
  };
}
