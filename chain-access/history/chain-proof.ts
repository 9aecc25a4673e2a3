import { ignore } from "../../config/async.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { headerByNumber, readHeader } from "../live/block.ts";
import type { Anchor, ChainAgreement } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";

/**
 * Has endpoints show that they are on our chain. One that has moved to another is noticed within a minute, and until then its answers
 * without logs look like any others: it has blocks of the same numbers, and their logs, but none of our contracts.
 */
export function createChainProof(pool: Pool, agreement: ChainAgreement) {
  /** By endpoint: the last request, and the one that will follow it. */
  const sent = new WeakMap<Endpoint, Promise<void>>();
  const coming = new WeakMap<Endpoint, Promise<void>>();

  async function ask(endpoint: Endpoint, { number }: Anchor): Promise<void> {
    const { results } = await pool.sendTo(endpoint, [headerByNumber(number)], {
      block: number,
      check: ([block]) => void readHeader(block, { number }),
      maxInvalidAnswers: 1,
    });
    await agreement.check(readHeader(results[0]), endpoint);
  }

  /**
   * Asks an endpoint for the last final block, in a request that is sent after this call. Those who wait at the same time share one.
   *
   * @throws EndpointFault if it doesn't have the block; ChainConflict if most endpoints have another one by now
   */
  return (endpoint: Endpoint, final: Anchor): Promise<void> => {
    const next = coming.get(endpoint);
    if (next !== undefined) return next;
    const asking: Promise<void> = Promise.resolve(sent.get(endpoint))
      .catch(ignore)
      .then(() => {
        coming.delete(endpoint);
        sent.set(endpoint, asking);
        return ask(endpoint, final);
      });
    coming.set(endpoint, asking);
    return asking;
  };
}
