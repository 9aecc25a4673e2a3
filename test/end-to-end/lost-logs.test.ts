import { afterEach, expect, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { sized } from "../run/long-run.ts";
import { testSchema } from "../service/indexer.ts";
import { type Service, startService } from "../service/service.ts";

let chain: LaunchpadChain;
let service: Service;

afterEach(async () => {
  await service?.stop();
  await chain?.stop();
});

test("an index that is made again from a history that has lost logs equals the chain", async () => {
  chain = await startLaunchpadChain();
  await chain.trade(11, { blocks: 40, actionsPerBlock: 5, creations: 0.1 });
  // Makes all of it final.
  await chain.testClient.mine({ blocks: 40 });
  service = await startService([chain]);
  await service.expectIndexEqualsChain();
  const { query } = service.database;
  const countLogs = async () => (await query("select 1 from ponder_sync.logs")).length;
  const all = await countLogs();

  // With Ponder's own record of what it has read, and without.
  for (const damage of sized({ usual: ["select"], long: ["truncate ponder_sync.intervals", "select"] })) {
    await service.indexer.stop();
    await query(
      `delete from ponder_sync.logs where log_index % 2 = 1; ${damage}; drop schema ${testSchema} cascade`,
    );
    expect(await countLogs()).toBeLessThan(all);
    await service.restart();
    await service.expectIndexEqualsChain();
    expect(await countLogs()).toBe(all);
    expect(service.indexer.output()).toMatch(/history: \d+ of \d+ logs are missing in \d+ stored blocks/);
  }
});
