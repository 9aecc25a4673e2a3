import { createConfig, factory } from "ponder";
import { getAbiItem } from "viem";
import { dexPairAbi } from "./abis/DexPair.ts";
import { launchpadAbi } from "./abis/Launchpad.ts";
import { launchTokenAbi } from "./abis/LaunchToken.ts";
import { tokenFactoryAbi } from "./abis/TokenFactory.ts";
import { onEveryChain, ponderChains } from "./config/chains.ts";
import { readEnvironment } from "./config/env.ts";

const { chains, databaseUrl, maxFilteredTokens } = readEnvironment();

// Above its limit of 1,000 child contracts Ponder asks for the Transfer logs of every contract on the chain.
const { PONDER_COMMON } = globalThis as {
  PONDER_COMMON?: { options: { factoryAddressCountThreshold: number } };
};
if (PONDER_COMMON) PONDER_COMMON.options.factoryAddressCountThreshold = maxFilteredTokens;

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
  },
});
