import { LRUCache } from "lru-cache";
import type { Address } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import { bestEffortLimits, createBestEffort } from "./best-effort.ts";
import { createChainClients } from "./chain-client.ts";

/** Answers are shared for a second, by callers that know the same block. */
const cacheOptions = { max: 1_000, ttl: 1_000 };

/**
 * Resolves to an account's wei as of the chain's latest block; undefined if no endpoint answers. A cached balance is at least as new
 * as the caller's `block`.
 */
export type ReadNativeBalance = (
  chain: ChainSettings,
  account: Address,
  block: number | undefined,
) => Promise<bigint | undefined>;

/** Asks the chain's endpoints. Never rejects. */
export function createNativeBalanceReader(): ReadNativeBalance {
  const getClient = createChainClients(bestEffortLimits);
  const tryToAsk = createBestEffort();
  const cache = new LRUCache<string, Promise<bigint | undefined>>(cacheOptions);

  return (chain, address, block) => {
    const key = `${chain.id} ${address} ${block}`;
    const balance =
      cache.get(key) ?? tryToAsk(chain.id, async () => await getClient(chain).getBalance({ address }));
    cache.set(key, balance, { noUpdateTTL: true });
    return balance;
  };
}
