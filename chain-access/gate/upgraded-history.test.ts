import { expect, onTestFinished, test } from "vitest";
import { graduatingAmount, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate, storedRows } from "../fixtures/filling-gate.ts";
import { eventTopics } from "../sources/events.ts";

const { swap, mint, burn } = eventTopics;

test("a history that was stored without liquidity is read again, and its missing senders are filled in", async () => {
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
  const senders = await database.query(
    `select distinct t."from" from ponder_sync.logs l join ponder_sync.transactions t using (chain_id, block_number, transaction_index)
     where l.topic0 in ('${mint}', '${burn}') order by 1`,
  );
  // The graduation's own transaction has no sender.
  expect(senders).toEqual([{ from: `0x${"0".repeat(40)}` }, { from: buyer.toLowerCase() }]);

  // The state that earlier versions left.
  await database.query(
    `delete from ponder_sync.logs where topic0 in ('${mint}', '${burn}');
     update ponder_sync.transactions t set "from" = '0x${"0".repeat(40)}'
       where not exists (select from ponder_sync.logs l where l.topic0 = '${swap}'
         and l.block_number = t.block_number and l.transaction_index = t.transaction_index);
     update offchain.chain_coverage set version = 1`,
  );
  expect(await storedRows(database)).not.toEqual(complete);
  expect(await fill()).toEqual(complete);
});
