import { LRUCache } from "lru-cache";
import { type Address, RpcRequestError } from "viem";
import { hasCause } from "../../../chain-access/rpc-client.ts";
import { pause } from "../../../config/async.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { bestEffortLimits, createChainClients, createOptionalAsk } from "./chain-client.ts";

/** Answers are shared for a second: a reorg may replace the block by another one of the same number. */
const cacheOptions = { max: 1_000, ttl: 1_000 };

/** When an endpoint that doesn't have the block is asked again. */
const retryMs = 300;

/**
 * Resolves to an account's wei at the end of a block, or at the chain's latest block if that is undefined. Resolves to undefined if no
 * endpoint answers or has the block's state.
 */
export type ReadNativeBalance = (
  chain: ChainSettings,
  account: Address,
  block: number | undefined,
) => Promise<bigint | undefined>;

/** Asks the chain's endpoints. Never rejects. */
export function createNativeBalanceReader(limits = bestEffortLimits): ReadNativeBalance {
  const getClient = createChainClients(limits);
  const askOptionally = createOptionalAsk();
  const cache = new LRUCache<string, Promise<bigint | undefined>>(cacheOptions);

  return (chain, address, block) => {
    const blockNumber = block === undefined ? undefined : BigInt(block);
    const ask = async () => await getClient(chain).getBalance({ address, blockNumber });
    // Of several servers behind one URL, some may be a block behind the index.
    const askTwice = async () =>
      await ask().catch(async (error: unknown) => {
        if (!isRefusal(error)) throw error;
        await pause(retryMs);
        return await ask();
      });
    const key = `${chain.id} ${address} ${block}`;
    const balance = cache.get(key) ?? askOptionally(chain.id, askTwice);
    cache.set(key, balance, { noUpdateTTL: true });
    return balance;
  };
}

/** Whether the endpoint answered, with an error. */
const isRefusal = (error: unknown) => hasCause(error, (cause) => cause instanceof RpcRequestError);
