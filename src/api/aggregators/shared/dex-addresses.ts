import type { Context } from "hono";
import { type Address, encodeFunctionData, getAddress, type Hex, isAddressEqual, zeroAddress } from "viem";
import { launchpadAbi } from "../../../../abis/Launchpad.ts";
import { isRevert } from "../../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../../config/env.ts";
import { pancakeSwap } from "../../../../config/pancakeswap.ts";
import { type ChainClients, chainUnavailable } from "../../chain/chain-client.ts";
import { type Chains, cachePerChain } from "../../chain/chains.ts";
import { askChain } from "../../concurrency/read-lanes.ts";
import type { PooledDatabase } from "../../database/database.ts";

/** Addresses of the DEX that tokens graduate to. */
export type DexAddresses = { wbnb: Address; factory: Address };

/** Given a request that has read all it needs, it leaves the request's lane while it waits for the chain. */
type GetDexAddresses = (chain: ChainSettings, c?: Context) => Promise<DexAddresses>;

export type AggregatorDeps = {
  chains: Chains;
  db: PooledDatabase;
  getDexAddresses: GetDexAddresses;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/**
 * The returned function asks a chain's launchpad, once, for the addresses of the DEX that its tokens graduate to. Throws a 503
 * problem if the chain gives no usable answer.
 */
export function createDexAddresses(getClient: ChainClients): GetDexAddresses {
  const known = new Map<number, DexAddresses>();

  async function ask(chain: ChainSettings): Promise<DexAddresses> {
    const [wbnb, factory] = await Promise.all([
      askLaunchpad(chain, "wbnb"),
      askLaunchpad(chain, "dexFactory"),
    ]).catch((error) => {
      throw chainUnavailable(chain.id, error);
    });
    // A launchpad of others needn't expose where its tokens graduate to.
    const fallback = pancakeSwap[chain.id];
    const addresses = { wbnb: wbnb ?? fallback.wbnb, factory: factory ?? fallback.dexFactory };
    known.set(chain.id, addresses);
    return addresses;
  }

  /** Returns undefined if the launchpad has no such function. */
  async function askLaunchpad(chain: ChainSettings, functionName: "wbnb" | "dexFactory") {
    const client = getClient(chain);
    const call = { to: chain.launchpad, data: encodeFunctionData({ abi: launchpadAbi, functionName }) };
    const answered = await client.call(call).catch((error) => {
      if (isRevert(error)) return { data: undefined };
      throw error;
    });
    const address = toAddress(answered.data);
    if (address !== undefined) return address;
    // A node that lags behind the launchpad's deployment doesn't prove that the function is missing.
    const code = await client.getCode({ address: chain.launchpad });
    if (code === undefined || code === "0x") throw new Error(`there is no contract at ${chain.launchpad}`);
    return undefined;
  }

  const askOnce = cachePerChain(ask);
  return async (chain, c) =>
    known.get(chain.id) ?? (await (c === undefined ? askOnce(chain) : askChain(c, () => askOnce(chain))));
}

function toAddress(data: Hex | undefined): Address | undefined {
  const match = data === undefined ? null : /^0x0{24}([0-9a-f]{40})$/i.exec(data);
  if (match === null) return undefined;
  const address = getAddress(`0x${match[1]}`);
  return isAddressEqual(address, zeroAddress) ? undefined : address;
}
