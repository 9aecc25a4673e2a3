import { EndpointFault } from "../endpoint/fault.ts";
import { headerByNumber, readHeader } from "../live/block.ts";
import type { Anchor } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import type { Portal } from "./portal.ts";

/** Milliseconds for which it is believed that the portal is on our chain. */
const believedMs = 60_000;

/**
 * Makes a check that the portal is on the chain of the RPC endpoints, by a block that it has answered with: at first, now and
 * then, and after each fault.
 */
export function createChainCheck(pool: Pool, portal: Portal) {
  let believedUntil = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;

  async function compare({ number, hash }: Anchor): Promise<void> {
    const { results } = await pool.send([headerByNumber(number)], {
      priority: number,
      block: number,
      check: ([answer]) => void readHeader(answer, { number }),
    });
    const ours = readHeader(results[0]).hash;
    portal.excluded =
      hash === ours ? undefined : `it is on another chain: its block ${number} is ${hash}, and ours ${ours}`;
    if (portal.excluded !== undefined) throw new EndpointFault("wrong", portal.excluded);
    believedUntil = performance.now() + believedMs;
  }

  /** @throws EndpointFault of kind "wrong" if the portal is on another chain */
  return async (found: Anchor): Promise<void> => {
    if (performance.now() < believedUntil && portal.isHealthy) return;
    checking ??= compare(found).finally(() => {
      checking = undefined;
    });
    await checking;
  };
}
