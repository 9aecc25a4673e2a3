import { afterEach, expect, test } from "vitest";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../chain/emulated-endpoint.ts";
import { type LaunchpadChain, reachedThrough, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { loseTransfer } from "../chain/lose-transfer.ts";
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

  const losing = await loseTransfer(chain, endpoint, { token, from: buyer, to: creator });
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
