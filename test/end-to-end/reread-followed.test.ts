import { encodeFunctionData } from "viem";
import { afterEach, expect, test } from "vitest";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { eventTopics } from "../../chain-access/sources/events.ts";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../chain/emulated-endpoint.ts";
import { type LaunchpadChain, reachedThrough, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { until } from "../service/condition.ts";
import { type Service, startService } from "../service/service.ts";

let chain: LaunchpadChain;
let service: Service;
let endpoint: EmulatedEndpoint | undefined;

afterEach(async () => {
  await service?.stop();
  await endpoint?.stop();
  await chain?.stop();
});

test("a transfer that an endpoint leaves out of a new block is found once the block is final, and an index from then on has it", async () => {
  chain = await startLaunchpadChain();
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 15n);
  await chain.testClient.mine({ blocks: 40 });
  endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  service = await startService([reachedThrough(endpoint.url, chain)]);
  const { query } = service.database;
  await service.expectIndexEqualsChain();

  // Two transfers alike in one block: without the last one, its bloom filter and the numbers of its logs are the same.
  const losing = Number(await chain.head()) + 1;
  endpoint.set({
    losesLog: ({ blockNumber, topics, logIndex }, isOfOneBlock) =>
      isOfOneBlock &&
      Number(blockNumber) === losing &&
      topics[0] === eventTopics.transfer &&
      Number(logIndex) === 1,
  });
  await chain.testClient.setAutomine(false);
  const data = encodeFunctionData({
    abi: launchTokenAbi,
    functionName: "transfer",
    args: [creator, 10n ** 18n],
  });
  for (let count = 0; count < 2; count++) await chain.submit(buyer, token, data);
  await chain.testClient.mine({ blocks: 1 });
  await chain.testClient.setAutomine(true);
  const transfers = async () =>
    (await query("select 1 from ponder_sync.logs where block_number = $1", [losing])).length;
  await until("the block to be final", async () => {
    await chain.testClient.mine({ blocks: 20 });
    return (await transfers()) > 0;
  });
  await until("the second reading", async () => (await transfers()) === 2);
  // The log follows the commit.
  await expect
    .poll(service.indexer.output)
    .toMatch(/blocks \d+ to \d+, which were followed, had 1 missing log and 0 logs that/);
  await service.indexer.stop();
  await query("drop schema onchain cascade");
  await service.restart();
  await service.expectIndexEqualsChain();
});
