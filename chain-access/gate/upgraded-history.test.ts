import { expect, onTestFinished, test } from "vitest";
import { graduatingAmount, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate, storedRows } from "../fixtures/filling-gate.ts";
import { eventTopics } from "../sources/events.ts";

const { mint, burn } = eventTopics;

test("a history that was stored without liquidity is read again", async () => {
  const chain = await startLaunchpadChain();
  const database = await createDatabase();
  onTestFinished(async () => {
    await database.drop();
    await chain.stop();
  });
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator, "Twin", "TWIN");
  await chain.buy(buyer, token, graduatingAmount);
  await chain.buyOnDex(creator, token, 10n ** 15n);
  await chain.addLiquidity(buyer, token, 10n ** 24n, 10n ** 15n);
  const pair = await chain.pairOf(token);
  await chain.removeLiquidity(buyer, token, pair, await chain.balanceOf(pair, buyer));
  const last = Number(await chain.head());
  await chain.testClient.mine({ blocks: 40 });

  async function fill(): Promise<Record<string, unknown>> {
    const gate = startFillingGate({ chain, database, rpcUrls: [chain.rpcUrl] });
    expect(await gate.fill(last)).toEqual([]);
    await gate.stop();
    return await storedRows(database);
  }
  const complete = await fill();

  // The state that earlier versions left.
  await database.query(
    `delete from ponder_sync.logs where topic0 in ('${mint}', '${burn}');
     update offchain.chain_coverage set version = 1`,
  );
  expect(await storedRows(database)).not.toEqual(complete);
  expect(await fill()).toEqual(complete);
});
