import { expect, test } from "vitest";
import { answering, startEndpointServer } from "../../chain-access/fixtures/endpoint-server.ts";
import { numberToHex } from "../../chain-access/hex.ts";
import { readEnvironment } from "../../config/env.ts";
import { resolveChainFeeds } from "../price-feed/resolve-feed.ts";
import { checkChains } from "./check-chains.ts";

const contract = "0x00000000000000000000000000000000000000aa";
const launchpad = "0x00000000000000000000000000000000000000bb";
const feed = "0x00000000000000000000000000000000000000cc";

/** A node at a block. Without the chain's state, it knows no contract. */
async function startNode({ head = 0, syncing = false as unknown, hasState = false }) {
  const { url } = await startEndpointServer(
    answering(({ method }) => {
      if (method === "eth_chainId") return "0x38";
      if (method === "eth_blockNumber") return numberToHex(head);
      if (method === "eth_syncing") return syncing;
      return method === "eth_getCode" && hasState ? "0x60" : "0x";
    }),
  );
  return url;
}

const chainOf = (urls: string[], more: Record<string, string> = {}) =>
  readEnvironment({
    PONDER_RPC_URL_56: urls.join(","),
    TOKEN_FACTORY_ADDRESS_56: contract,
    LAUNCHPAD_ADDRESS_56: launchpad,
    START_BLOCK_56: "1000",
    ...more,
  }).chains;

const progress = { startingBlock: "0x0", currentBlock: "0x10", highestBlock: "0x1000" };
const beginning = { head: 0, syncing: progress };

test.each([
  ["has only begun", beginning],
  ["knows no other node yet", { head: 0 }],
  ["has the start block, but not the contracts", { head: 1_500, syncing: progress }],
])("an endpoint that is still syncing is waited for: one that %s", async (_, node) => {
  const url = await startNode(node);
  const lines: string[] = [];
  expect(await checkChains(chainOf([url]), (line) => lines.push(line))).toMatchObject([{ rpcUrls: [url] }]);
  expect(lines).toEqual([
    `warning: the endpoint of PONDER_RPC_URL_56 is still syncing, and is at block ${node.head}`,
  ]);
  const chain = { id: 56, rpcUrls: [url], priceFeeds: [feed] } as const;
  expect(await resolveChainFeeds(chain as never)).toBeUndefined();
});

test("nothing is asked of one if another has everything, since its state is old", async () => {
  const urls = [await startNode(beginning), await startNode({ head: 5_000, hasState: true })];
  const lines: string[] = [];
  expect(await checkChains(chainOf(urls), (line) => lines.push(line))).toMatchObject([
    { rpcUrls: urls.slice(1) },
  ]);
  expect(lines).toContain(
    "warning: endpoint 1 is not used until the next start: endpoint 1 of PONDER_RPC_URL_56 is still syncing, and is at block 0",
  );
});

test("Ponder's own sync would begin at the endpoint's head, so it doesn't begin", async () => {
  const chains = chainOf([await startNode(beginning)], { SYNC_56: "ponder" });
  await expect(checkChains(chains)).rejects.toThrow("is still syncing, and is at block 0");
});

test("a chain that ends before the start block has a wrong one", async () => {
  await expect(checkChains(chainOf([await startNode({ head: 999 })]))).rejects.toThrow(
    "START_BLOCK_56 is wrong: it is 1000, and the chain has only 999 blocks",
  );
});
