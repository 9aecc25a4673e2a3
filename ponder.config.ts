import { createConfig, factory } from "ponder";
import { getAbiItem } from "viem";
import { dexPairAbi } from "./abis/DexPair.ts";
import { launchpadAbi } from "./abis/Launchpad.ts";
import { launchTokenAbi } from "./abis/LaunchToken.ts";
import { priceFeedAbi } from "./abis/PriceFeed.ts";
import { tokenFactoryAbi } from "./abis/TokenFactory.ts";
import { guardFetch } from "./chain-access/guard-fetch.ts";
import { onEveryChain, ponderChains, priceFeeds } from "./config/chains.ts";
import { readEnvironment } from "./config/env.ts";

const { chains, databaseUrl, maxFilteredTokens } = readEnvironment();

guardFetch(chains.flatMap(({ rpcUrls }) => rpcUrls));

// Ponder has no settings for these. Above its limit of 1,000 child contracts it asks for the Transfer logs of every
// contract on the chain. And it writes after each batch of events what they have changed: the larger the batch, the
// less often a row is written that changes all the time, such as a curve.
type PonderOptions = { factoryAddressCountThreshold: number; syncEventsQuerySize: number };
const { PONDER_COMMON } = globalThis as { PONDER_COMMON?: { options: PonderOptions } };
if (PONDER_COMMON !== undefined) {
  PONDER_COMMON.options.factoryAddressCountThreshold = maxFilteredTokens;
  PONDER_COMMON.options.syncEventsQuerySize = 96_000;
}

const tokenCreated = getAbiItem({ abi: tokenFactoryAbi, name: "TokenCreated" });
const graduated = getAbiItem({ abi: launchpadAbi, name: "Graduated" });

export default createConfig({
  database: { kind: "postgres", connectionString: databaseUrl },
  chains: ponderChains(chains),
  contracts: {
    TokenFactory: {
      abi: tokenFactoryAbi,
      chain: onEveryChain(chains, (chain) => ({ address: chain.tokenFactory })),
    },
    Launchpad: {
      abi: launchpadAbi,
      chain: onEveryChain(chains, (chain) => ({ address: chain.launchpad })),
    },
    LaunchToken: {
      abi: launchTokenAbi,
      chain: onEveryChain(chains, (chain) => ({
        address: factory({ address: chain.tokenFactory, event: tokenCreated, parameter: "token" }),
      })),
    },
    DexPair: {
      abi: dexPairAbi,
      chain: onEveryChain(chains, (chain) => ({
        address: factory({ address: chain.launchpad, event: graduated, parameter: "pair" }),
      })),
    },
    PriceFeed: {
      abi: priceFeedAbi,
      chain: priceFeeds(chains),
    },
  },
});
