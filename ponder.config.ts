import { createConfig, factory } from "ponder";
import { getAbiItem } from "viem";
import { dexPairAbi } from "./abis/DexPair.ts";
import { launchpadAbi } from "./abis/Launchpad.ts";
import { launchTokenAbi } from "./abis/LaunchToken.ts";
import { priceFeedAbi } from "./abis/PriceFeed.ts";
import { tokenFactoryAbi } from "./abis/TokenFactory.ts";
import { gateSettings, gateTransport } from "./chain-access/gate/start-gate.ts";
import { onEveryChain, ponderChains, priceFeeds } from "./config/chains.ts";
import { connectionOptions } from "./config/connection-options.ts";
import { readEnvironment } from "./config/env.ts";
import { finalTimeQuery } from "./runtime/ponder/final-rows.ts";
import { guardFetch, setPonderOptions } from "./runtime/ponder/options.ts";

const { chains, databaseUrl, databaseSchema, maxFilteredTokens } = readEnvironment();

guardFetch(chains.flatMap(({ rpcUrls }) => rpcUrls));

const gate = gateSettings(
  { databaseUrl, schema: databaseSchema, indexedTimeQuery: finalTimeQuery(databaseSchema) },
  chains,
);

// Where we read, the addresses in Ponder's requests are of no use.
setPonderOptions({ maxFilteredTokens: chains.some(({ sync }) => sync === "ponder") ? maxFilteredTokens : 1 });

const tokenCreated = getAbiItem({ abi: tokenFactoryAbi, name: "TokenCreated" });
const graduated = getAbiItem({ abi: launchpadAbi, name: "Graduated" });

// Factories have a list of one address: by it the gate tells Ponder's requests for what they created from all others.
export default createConfig({
  database: { kind: "postgres", connectionString: databaseUrl, poolConfig: connectionOptions({}) },
  chains: ponderChains(chains, (chainId) => gateTransport(gate, chainId)),
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
        address: factory({ address: [chain.tokenFactory], event: tokenCreated, parameter: "token" }),
      })),
    },
    DexPair: {
      abi: dexPairAbi,
      chain: onEveryChain(chains, (chain) => ({
        address: factory({ address: [chain.launchpad], event: graduated, parameter: "pair" }),
      })),
    },
    PriceFeed: {
      abi: priceFeedAbi,
      chain: priceFeeds(chains),
    },
  },
});
