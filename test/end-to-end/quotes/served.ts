import fc from "fast-check";
import { type Address, encodeEventTopics, type Hex, numberToHex, parseUnits } from "viem";
import { priceFeedAbi } from "../../../abis/PriceFeed.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { deployLogEmitter } from "../../chain/log-emitter.ts";
import { deployFirstPancakeDex, deployPancakeDex } from "../../chain/pancake-dex.ts";
import { serveChains } from "../../service/served-chains.ts";

export type QuotesServed = Awaited<ReturnType<typeof serveQuotes>>;
export type Token = { chain: LaunchpadChain; mint: Address };

/**
 * Serves a chain whose DEX has PancakeSwap V2's fee, and one with PancakeSwap's first version and a price feed. Each has a token in each state:
 * just opened, half sold, one wei before graduation, graduated. The last two are on different sides of WBNB in their pairs, and on the other ones on the
 * other chain.
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
      const isFirst = (index % 2 === 0) === (chain === mainnet);
      const mint = await chain.create(chain.traders[0], await nameOnSide(chain, isFirst), "Q", burns[index]);
      if (amount > 0n) await chain.buy(index === 1 ? chain.traders[0] : chain.traders[1], mint, amount);
      found.push({ chain, mint: mint.toLowerCase() as Address });
    }
    return found;
  });
  const tokens = (await Promise.all(made)).flat();
  const served = await serveChains([mainnet, testnet], { env: { BNB_USD_FEED_ADDRESS_97: feed.address } });
  return { ...served, mainnet, testnet, tokens };
}

/** Returns a name for the next token of the first trader with which the token comes before WBNB in its pair, or after it. */
async function nameOnSide(
  { deployment, publicClient, traders }: LaunchpadChain,
  isFirst: boolean,
): Promise<string> {
  const factory = { address: deployment.tokenFactory, abi: tokenFactoryAbi } as const;
  for (let attempt = 1; ; attempt += 1) {
    const name = `Quoted ${attempt}`;
    const args = [traders[0], name, "Q"] as const;
    const token = await publicClient.readContract({
      ...factory,
      functionName: "predictNextTokenAddress",
      args,
    });
    if (BigInt(token) < BigInt(deployment.wbnb) === isFirst) return name;
  }
}
