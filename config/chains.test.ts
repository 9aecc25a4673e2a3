import { expect, test } from "vitest";
import { onEveryChain, ponderChains, priceFeeds } from "./chains.ts";
import { readEnvironment } from "./env.ts";

test("only configured chains reach Ponder, through our sync unless Ponder is set to read them itself", () => {
  const chainsWith = (sync: string) =>
    readEnvironment({
      PONDER_RPC_URL_97: "http://a",
      TOKEN_FACTORY_ADDRESS_97: "0x00000000000000000000000000000000000000f0",
      LAUNCHPAD_ADDRESS_97: "0x00000000000000000000000000000000000000b0",
      START_BLOCK_97: "7",
      SYNC_97: sync,
    }).chains;
  const transportTo = (chainId: number) => `to ${chainId}`;
  expect(ponderChains(chainsWith("ponder"), transportTo)).toEqual({
    bscTestnet: { id: 97, rpc: ["http://a"], pollingInterval: 1_000 },
  });
  expect(ponderChains(chainsWith(""), transportTo)).toEqual({
    bscTestnet: { id: 97, rpc: "to 97", pollingInterval: 250, ethGetLogsBlockRange: 100_000 },
  });
});

test("a price feed is read from before the launchpad, on the chains that have one", () => {
  const feed = "0x00000000000000000000000000000000000000fe";
  const chainsFrom = (startBlock: string, address = feed) =>
    readEnvironment({
      PONDER_RPC_URL_56: "http://a",
      TOKEN_FACTORY_ADDRESS_56: "0x00000000000000000000000000000000000000f0",
      LAUNCHPAD_ADDRESS_56: "0x00000000000000000000000000000000000000b0",
      START_BLOCK_56: startBlock,
      BNB_USD_FEED_ADDRESS_56: address,
    }).chains;
  expect(priceFeeds(chainsFrom("90000000"))).toEqual({ bsc: { address: [feed], startBlock: 89_980_000 } });
  expect(priceFeeds(chainsFrom("7"))).toEqual({ bsc: { address: [feed], startBlock: 0 } });
  expect(priceFeeds(chainsFrom("7", ""))).toEqual({});
  expect(onEveryChain(chainsFrom("7"), () => ({}))).toEqual({ bsc: { startBlock: 7 } });
});
