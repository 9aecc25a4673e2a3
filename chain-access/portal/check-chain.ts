import { EndpointFault } from "../endpoint/fault.ts";
import { headerByNumber, readHeader } from "../live/block.ts";
import type { Anchor } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import type { Portal } from "./portal.ts";

/** Milliseconds for which a successful check is trusted. */
const trustMs = 60_000;

/**
 * Creates a check that the portal is on the same chain as the RPC endpoints, by comparing a block from its answer. It runs with
 * the first answer, once in a while, and after each fault.
 */
export function createChainCheck(pool: Pool, portal: Portal) {
  let trustedUntil = Number.NEGATIVE_INFINITY;
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
    trustedUntil = performance.now() + trustMs;
  }

  /** @throws EndpointFault of kind "wrong" if the portal is on another chain */
  return async (found: Anchor): Promise<void> => {
    if (performance.now() < trustedUntil && portal.isHealthy) return;
    checking ??= compare(found).finally(() => {
      checking = undefined;
    });
    await checking;
  };
}
