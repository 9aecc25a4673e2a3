import { createFairSemaphore } from "../../concurrency/fair-semaphore.ts";
import { createSemaphore } from "../../concurrency/semaphore.ts";
import { busy } from "../../http/busy.ts";

const refuse = () => busy("registrations");

/**
 * Creates a semaphore for each resource that registrations use, so that a slow endpoint or contract only holds up those that need
 * it. No registration holds one while waiting for another.
 */
export function createRegistrationSemaphores() {
  const byChain = new Map<number, ReturnType<typeof createChainSemaphores>>();
  return {
    /** For the database, so that a burst can't take all connections. */
    database: createSemaphore({ concurrency: 20, maxWaiting: 500, refuse }),
    forChain(chainId: number) {
      const semaphores = byChain.get(chainId) ?? createChainSemaphores();
      byChain.set(chainId, semaphores);
      return semaphores;
    },
  };
}

function createChainSemaphores() {
  const limits = { concurrency: 10, maxWaiting: 100, maxWaitMs: 10_000, refuse };
  return {
    /** For reading tokens from the chain, fairly among clients. */
    lookups: createFairSemaphore(limits),
    /** For checking signatures with contract wallets, fairly among creators. */
    signatures: createFairSemaphore(limits),
  };
}
