import { afterEach, expect, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { until } from "../service/condition.ts";
import { type Service, startService } from "../service/service.ts";

let chain: LaunchpadChain;
let service: Service;

async function startTradedChain(blocks: number): Promise<void> {
  chain = await startLaunchpadChain();
  await chain.trade(3, { blocks, actionsPerBlock: 4, creations: 0.05 });
}

afterEach(async () => {
  await service?.stop();
  await chain?.stop();
});

const tradeCount = async () => (await service.database.query("select 1 from onchain.trade")).length;

test("kill -9 in the middle of a backfill loses nothing and counts nothing twice", async () => {
  // So many blocks, and one lane, that the backfill takes long enough to be in the middle of it.
  await startTradedChain(200);
  service = await startService([chain]);
  await until("the first blocks", async () => service.indexer.output().includes("Created database tables"));
  await until("some trades", async () => (await tradeCount()) > 0);
  expect((await fetch(`${service.indexer.url}/ready`)).status).toBe(503);
  await service.indexer.kill();
  const before = await tradeCount();

  await service.restart();
  await service.indexer.untilReady();
  expect(service.indexer.output()).toContain("Detected crash recovery");
  await service.expectIndexEqualsChain();
  expect(await tradeCount()).toBeGreaterThan(before);
});

test("kill -9 in live indexing loses nothing and counts nothing twice", async () => {
  await startTradedChain(40);
  service = await startService([chain]);
  await service.indexer.untilReady();
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 16n);
  await service.expectIndexEqualsChain();
  // Into the middle of blocks that come in.
  const trading = (async () => {
    for (let index = 0; index < 12; index++) await chain.buy(buyer, token, 10n ** 14n);
  })();
  await until("the next trade", async () => (await tradeCount()) > 0);
  await service.indexer.kill();
  await trading;

  await service.restart();
  await service.indexer.untilReady();
  await service.expectIndexEqualsChain();
});
