import { expect, onTestFinished, test } from "vitest";
import { startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate } from "../fixtures/filling-gate.ts";

test("what follows blocks that another process has stored since the start is read with the tokens of those", async () => {
  const chain = await startLaunchpadChain();
  const database = await createDatabase();
  const [creator, holder] = chain.traders;
  const start = () => startFillingGate({ chain, database, rpcUrls: [chain.rpcUrl] });
  /** Makes everything final, and returns the last block before that. */
  const finalize = async () => {
    const last = Number(await chain.head());
    await chain.testClient.mine({ blocks: 40 });
    return last;
  };
  const [gate, running] = [start(), start()];
  onTestFinished(async () => {
    await Promise.all([gate.stop(), running.stop()]);
    await database.drop();
    await chain.stop();
  });
  await chain.create(creator, "First", "ONE");
  await gate.fill(await finalize());

  const token = await chain.create(creator, "Second", "TWO");
  await chain.buy(creator, token, 10n ** 15n);
  const stored = await finalize();
  await running.fill(stored);

  // A transfer by itself, which nothing else shows to be missing.
  const { blockNumber } = await chain.transfer(creator, token, holder, 1_000n);
  const last = await finalize();
  const [fromBlock, toBlock] = [stored + 1, last].map((block) => `0x${block.toString(16)}`);
  await gate.request("eth_getLogs", [
    { address: chain.deployment.launchpad, topics: [], fromBlock, toBlock },
  ]);
  const logs = await database.query("select address from ponder_sync.logs where block_number = $1", [
    Number(blockNumber),
  ]);
  expect(logs).toEqual([{ address: token.toLowerCase() }]);
});
