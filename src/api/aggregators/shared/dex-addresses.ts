import { type Address, encodeFunctionData, getAddress, type Hex, isAddressEqual, zeroAddress } from "viem";
import { launchpadAbi } from "../../../../abis/Launchpad.ts";
import { isRevert } from "../../../../chain-access/failures.ts";
import type { ChainSettings } from "../../../../config/env.ts";
import { type ChainClients, chainUnavailable } from "../../chain/chain-client.ts";
import { oncePerChain } from "../../chain/chains.ts";
import type { DexAddresses } from "../dexscreener/dexscreener.ts";

/** PancakeSwap V2, for launchpads that don't expose where their tokens graduate to. */
const pancakeSwap = {
  56: {
    wbnb: "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
    factory: "0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73",
  },
  97: {
    wbnb: "0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd",
    factory: "0x6725F303b657a9451d8BA641348b6761A6CC7a17",
  },
} as const satisfies Record<ChainSettings["id"], DexAddresses>;

/**
 * The returned function asks a chain's launchpad, once, for the addresses of the DEX that its tokens graduate to. Throws a 503
 * problem if the chain gives no usable answer.
 */
export function createDexAddresses(getClient: ChainClients): (chain: ChainSettings) => Promise<DexAddresses> {
  async function ask(chain: ChainSettings): Promise<DexAddresses> {
    const [wbnb, factory] = await Promise.all([
      askLaunchpad(chain, "wbnb"),
      askLaunchpad(chain, "dexFactory"),
    ]).catch((error) => {
      throw chainUnavailable(chain.id, error);
    });
    const fallback = pancakeSwap[chain.id];
    return { wbnb: wbnb ?? fallback.wbnb, factory: factory ?? fallback.factory };
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

  return oncePerChain(ask);
}

function toAddress(data: Hex | undefined): Address | undefined {
  const match = data === undefined ? null : /^0x0{24}([0-9a-f]{40})$/i.exec(data);
  if (match === null) return undefined;
  const address = getAddress(`0x${match[1]}`);
  return isAddressEqual(address, zeroAddress) ? undefined : address;
}
