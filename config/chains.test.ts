import { expect, test } from "vitest";
import { onEveryChain, ponderChains, priceFeeds, withLanes } from "./chains.ts";
import { readEnvironment } from "./env.ts";

test("one lane leaves the URLs as they are", () => {
  expect(withLanes(["https://a/key?x=1", "https://b"], 1)).toEqual(["https://a/key?x=1", "https://b"]);
});

test("more lanes repeat every URL, told apart by a query parameter", () => {
  expect(withLanes(["https://a/key?x=1", "https://b/"], 2)).toEqual([
    "https://a/key?x=1",
    "https://b/",
    "https://a/key?x=1&lane=2",
    "https://b/?lane=2",
  ]);
});

test("only chains that are configured reach Ponder", () => {
  const { chains } = readEnvironment({
    PONDER_RPC_URL_97: "http://a",
    TOKEN_FACTORY_ADDRESS_97: "0x00000000000000000000000000000000000000f0",
    LAUNCHPAD_ADDRESS_97: "0x00000000000000000000000000000000000000b0",
    START_BLOCK_97: "7",
    RPC_CACHE_97: "off",
  });
  expect(ponderChains(chains)).toEqual({
    bscTestnet: { id: 97, rpc: ["http://a"], pollingInterval: 1_000, disableCache: true },
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
