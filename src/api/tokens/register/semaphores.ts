import { createFairSemaphore } from "../../concurrency/fair-semaphore.ts";
import { createSemaphore } from "../../concurrency/semaphore.ts";
import { busy } from "../../http/busy.ts";

const refuse = () => busy("registrations");

/**
 * What registrations wait for, each by itself, so that an endpoint or a contract that is slow keeps nobody waiting who does
 * not need it. Nobody holds one while waiting for another.
 */
export function createRegistrationSemaphores() {
  const ofChains = new Map<number, ReturnType<typeof createChainTurns>>();
  return {
    /** For the database: a burst can't take all its connections. */
    database: createSemaphore({ concurrency: 20, maxWaiting: 500, refuse }),
    ofChain(chainId: number) {
      const turns = ofChains.get(chainId) ?? createChainTurns();
      ofChains.set(chainId, turns);
      return turns;
    },
  };
}

function createChainTurns() {
  const limits = { concurrency: 10, maxWaiting: 100, maxWaitMs: 10_000, refuse };
  return {
    /** For asking the chain about tokens, shared among clients. */
    lookups: createFairSemaphore(limits),
    /** For asking contract wallets about signatures, shared among creators. */
    signatures: createFairSemaphore(limits),
  };
}
