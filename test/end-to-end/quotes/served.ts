import fc from "fast-check";
import { type Address, encodeEventTopics, type Hex, numberToHex, parseUnits } from "viem";
import { priceFeedAbi } from "../../../abis/PriceFeed.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { deployLogEmitter } from "../../chain/log-emitter.ts";
import { deployFirstPancakeDex, deployPancakeDex } from "../../chain/pancake-dex.ts";
import { serveChains } from "../../service/served-chains.ts";

export type QuotesServed = Awaited<ReturnType<typeof serveQuotes>>;
export type Token = { chain: LaunchpadChain; mint: Address };

/**
 * Serves a chain whose DEX has PancakeSwap V2's fee, and one with PancakeSwap's first version and a price feed. Each has a token in each state:
 * just opened, half sold, one wei before graduation, graduated.
 */
export async function serveQuotes() {
  const [mainnet, testnet] = await Promise.all([
    startLaunchpadChain({ deployDex: deployPancakeDex }),
    startLaunchpadChain({ chainId: 97, deployDex: deployFirstPancakeDex }),
  ]);
  const feed = await deployLogEmitter(testnet);
  await feed.emit([
    {
      topics: encodeEventTopics({
        abi: priceFeedAbi,
        eventName: "AnswerUpdated",
        args: { current: parseUnits("612.5", 8), roundId: 1n },
      }) as Hex[],
      data: numberToHex(1, { size: 32 }),
    },
  ]);
  const burns = fc.sample(fc.integer({ min: 30, max: 70 }), 4);
  const bought = [0n, graduatingAmount / 2n, graduatingAmount - 1n, graduatingAmount];
  const made = [mainnet, testnet].map(async (chain) => {
    const found: Token[] = [];
    for (const [index, amount] of bought.entries()) {
      const mint = await chain.create(chain.traders[0], "Quoted", "Q", burns[index]);
      if (amount > 0n) await chain.buy(index === 1 ? chain.traders[0] : chain.traders[1], mint, amount);
      found.push({ chain, mint: mint.toLowerCase() as Address });
    }
    return found;
  });
  const tokens = (await Promise.all(made)).flat();
  const served = await serveChains([mainnet, testnet], { env: { BNB_USD_FEED_ADDRESS_97: feed.address } });
  return { ...served, mainnet, testnet, tokens };
}
