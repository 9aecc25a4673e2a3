import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, keccak256, toHex } from "viem";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { priceFeedProxyAbi } from "../../abis/PriceFeedProxy.ts";
import type { Transaction } from "./actions.ts";
import type { Random } from "./random.ts";
import type { Rpc } from "./rpc.ts";

/** The account that sends the answers. It has no key: anvil impersonates it. */
export const answererAddress: Address = `0x${keccak256(toHex("simulated price feed")).slice(26)}`;

/** In USD per BNB. */
const usualPrice = 600;
const minPrice = 400;
const maxPrice = 900;
/** Per answer: the fraction by which the price reverts to the usual one, and the spread of its random change. */
const reversion = 0.01;
const volatility = 0.004;

/**
 * Simulates the price feed of the local chain: a price that varies around 600 USD.
 *
 * @param proxy the configured feed. It must have an answer, from which the simulation continues
 */
export async function openPriceFeed(rpc: Rpc, proxy: Address, random: Random) {
  const aggregator = await readAggregator(rpc, proxy);
  let price = await readPrice(rpc, proxy);

  return {
    /** The transaction that sends the next answer. */
    answer(): Transaction {
      price = nextPrice(price, random);
      const data = encodeFunctionData({
        abi: priceFeedAbi,
        functionName: "updateAnswer",
        args: [BigInt(Math.round(price * 1e8))],
      });
      const gas = toHex(100_000);
      return { from: answererAddress, to: aggregator, data, value: "0x0", gas, gasPrice: toHex(10 ** 9) };
    },
  };
}

/** One step of a mean-reverting random walk within bounds, in USD per BNB. */
export function nextPrice(price: number, random: Random): number {
  const drawn = price * (usualPrice / price) ** reversion;
  return Math.min(maxPrice, Math.max(minPrice, random.around(drawn, volatility)));
}

async function readAggregator(rpc: Rpc, proxy: Address): Promise<Address> {
  const abi = priceFeedProxyAbi;
  const data = encodeFunctionData({ abi, functionName: "aggregator" });
  const [answer] = await rpc<[Hex]>([["eth_call", [{ to: proxy, data }, "latest"]]]);
  return decodeFunctionResult({ abi, functionName: "aggregator", data: answer });
}

async function readPrice(rpc: Rpc, proxy: Address): Promise<number> {
  const abi = priceFeedAbi;
  const data = encodeFunctionData({ abi, functionName: "latestRoundData" });
  const [answered] = await rpc<[Hex]>([["eth_call", [{ to: proxy, data }, "latest"]]]);
  const [, answer] = decodeFunctionResult({ abi, functionName: "latestRoundData", data: answered });
  return Number(answer) / 1e8;
}
