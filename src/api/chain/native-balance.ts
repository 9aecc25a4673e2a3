import { LRUCache } from "lru-cache";
import type { Address } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import { briefLimits, createBriefAsks } from "./brief-asks.ts";
import { createChainClients } from "./chain-client.ts";

/** Milliseconds: an answer counts for all who ask, until they know of another block. */
const kept = { max: 1_000, ttl: 1_000 };

/**
 * Wei that an account has as of the chain's last block, which is not before `block`, the one that the asker knows of.
 * Undefined where no endpoint answers.
 */
export type ReadNativeBalance = (
  chain: ChainSettings,
  account: Address,
  block: number | undefined,
) => Promise<bigint | undefined>;

/** Asks the chain's endpoints. Never rejects. */
export function createNativeBalances(): ReadNativeBalance {
  const getClient = createChainClients(briefLimits);
  const askBriefly = createBriefAsks();
  const asked = new LRUCache<string, Promise<bigint | undefined>>(kept);

  return (chain, address, block) => {
    const key = `${chain.id} ${address} ${block}`;
    const asking =
      asked.get(key) ?? askBriefly(chain.id, async () => await getClient(chain).getBalance({ address }));
    asked.set(key, asking, { noUpdateTTL: true });
    return asking;
  };
}
