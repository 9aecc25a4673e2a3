import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import {
  graduatingAmount,
  type LaunchpadChain,
  startLaunchpadChain,
} from "../../test/chain/launchpad-chain.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate, storedRows } from "../fixtures/filling-gate.ts";
import { eventTopics } from "../sources/events.ts";

let chain: LaunchpadChain;
let endpoint: EmulatedEndpoint;
let toBlock: number;
let swapBlock: number;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, graduatingAmount);
  swapBlock = Number((await chain.buyOnDex(creator, token, 10n ** 15n)).blockNumber);
  // Tokens that somebody has sent to the pair are sold in a later transaction, which then transfers none.
  const pair = await chain.pairOf(token);
  await chain.transfer(creator, token, pair, 10n ** 24n);
  const amounts =
    token.toLowerCase() < chain.deployment.wbnb.toLowerCase() ? [0n, 10n ** 9n] : [10n ** 9n, 0n];
  const data = encodeFunctionData({
    abi: parseAbi(["function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)"]),
    args: [amounts[0] as bigint, amounts[1] as bigint, creator, "0x"],
  });
  await chain.send(creator, pair, data);
  toBlock = Number(await chain.head());
  await chain.testClient.mine({ blocks: 40 });
});

afterAll(async () => {
  await endpoint?.stop();
  await chain?.stop();
});

async function fill() {
  const database = await createDatabase();
  const gate = startFillingGate({ chain, database, rpcUrls: [endpoint.url] });
  await gate.fill(toBlock);
  await gate.stop();
  const rows = await storedRows(database);
  await database.drop();
  return { rows, lines: gate.lines };
}

test("the transfer of a swap can't be lost, and a swap without one is no fault", async () => {
  endpoint.counts.reset();
  const { rows, lines } = await fill();
  expect(lines).toEqual([]);
  const logRequests = () => endpoint.counts.byMethod().eth_getLogs?.elements ?? 0;
  const requests = logRequests();

  endpoint.set({
    losesLog: ({ topics, blockNumber }, isOfOneBlock) =>
      !isOfOneBlock && topics[0] === eventTopics.transfer && Number(blockNumber) === swapBlock,
  });
  endpoint.counts.reset();
  expect((await fill()).rows).toEqual(rows);
  expect(logRequests()).toBeGreaterThan(requests);
});
