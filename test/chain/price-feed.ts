import type { Address } from "viem";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { priceFeedProxyAbi } from "../../abis/PriceFeedProxy.ts";
import { deployPriceFeed } from "../../contracts/deploy.ts";
import type { Anvil } from "./anvil.ts";

export type TestFeed = Awaited<ReturnType<typeof startPriceFeed>>;

/** Deploys a price feed without answers on an anvil that mines each transaction at once. Addresses are lower-case. */
export async function startPriceFeed(
  { rpcUrl, walletClients, publicClient }: Anvil,
  options: { decimals?: number; description?: string } = {},
) {
  const [wallet] = walletClients;
  if (wallet === undefined) throw new Error("anvil has no accounts");
  const deploy = (given = options) => deployPriceFeed({ rpcUrl, account: wallet.account, ...given });
  const { proxy, aggregator } = await deploy();
  const mined = (hash: `0x${string}`) => publicClient.waitForTransactionReceipt({ hash });
  /** Fixed, because a client's own estimate may be too low by the time the transaction is mined. */
  const gas = 200_000n;

  return {
    proxy: lower(proxy),
    aggregator: lower(aggregator),
    /** Emits an answer in USD with 8 decimals, by default from the first aggregator. */
    answer: async (answerX8: bigint, from: Address = aggregator) =>
      await mined(
        await wallet.writeContract({
          address: from,
          abi: priceFeedAbi,
          functionName: "updateAnswer",
          args: [answerX8],
          gas,
        }),
      ),
    /** Starts a phase with another aggregator, by default a new one, and returns the aggregator. */
    async nextPhase(next?: Address, given = options): Promise<Address> {
      const following = next ?? (await deploy(given)).aggregator;
      await mined(
        await wallet.writeContract({
          address: proxy,
          abi: priceFeedProxyAbi,
          functionName: "setAggregator",
          args: [following],
          gas,
        }),
      );
      return lower(following);
    },
  };
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
