import { LRUCache } from "lru-cache";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Hex } from "../sources/log.ts";
import { type Anchor, findAnchor } from "./anchor.ts";
import type { Pool } from "./pool.ts";

const maxRemembered = 1_000;

/** Checks that all answers are from one chain, by the final blocks that come with them. */
export function createChainAgreement(pool: Pool) {
  const hashes = new LRUCache<number, Hex>({ max: maxRemembered });

  return {
    /** Sets a block that most endpoints have. */
    set({ number, hash }: Anchor): void {
      hashes.set(number, hash);
    },

    /**
     * Compares a block of an answer with what others had there. If it differs, most endpoints decide.
     *
     * @throws EndpointFault of kind "wrong" if the endpoint has another block; Error if the others had
     */
    async check(block: { number: Hex; hash: Hex }, endpoint: Endpoint): Promise<void> {
      const [number, { hash }] = [Number(block.number), block];
      const known = hashes.get(number);
      if (known !== undefined && known !== hash) {
        const ours = pool.endpoints.filter(({ excluded }) => excluded === undefined);
        const chosen = await findAnchor(ours, number);
        if (chosen?.hash === hash) {
          hashes.set(number, hash);
          throw new Error(`block ${number} is ${hash}: what was read with block ${known} is read again`);
        }
        const fault = new EndpointFault("wrong", `another block ${number} than most endpoints`);
        pool.reportLie(endpoint, fault);
        throw fault;
      }
      hashes.set(number, hash);
    },
  };
}
