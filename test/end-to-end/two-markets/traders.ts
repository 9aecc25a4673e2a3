import type { Hex } from "viem";
import { beforeAll, expect, test } from "vitest";
import { createRandom } from "../../../local/market/random.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { onlyInLongRun } from "../../run/long-run.ts";
import { seed } from "../../run/seed.ts";
import { testSchema } from "../../service/indexer.ts";
import type { Service } from "../../service/service.ts";
import type { TwoMarketsServed } from "./served.ts";
import { gatherCast, type TraderCase } from "./traders/cast.ts";
import { graduationCases } from "./traders/graduating.ts";
import { curveCases } from "./traders/on-curve.ts";
import { dexCases } from "./traders/on-dex.ts";

/** Trades and liquidity of contracts: routers, bots, wallets. The last test restarts the service. */
export function testTraders(served: () => TwoMarketsServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  let cases: TraderCase[];
  let prepared: Hex;
  /** The last transaction of each case. */
  let made: Map<TraderCase, Hex>;

  beforeAll(async () => {
    ({ mainnet: chain, service } = served());
    const cast = await gatherCast(chain);
    cases = [
      ...(await curveCases(cast)),
      ...(await dexCases(cast, served().pools)),
      ...(await graduationCases(cast)),
    ];
    prepared = await chain.testClient.snapshot();
  });

  /** Makes the cases in a few blocks, because an index can follow only short reorgs. */
  async function make(inOrder: TraderCase[], perBlock: number): Promise<void> {
    made = new Map();
    await chain.testClient.setAutomine(false);
    for (let next = 0; next < inOrder.length; next += perBlock) {
      for (const each of inOrder.slice(next, next + perBlock)) {
        // Those of a block are in the order in which the node got them.
        for (const { from, to, data } of each.transactions)
          made.set(each, await chain.submit(from, to, data));
      }
      await chain.testClient.mine({ blocks: 1 });
    }
    await chain.testClient.setAutomine(true);
    for (const [{ what }, hash] of made) {
      const { status } = await chain.publicClient.getTransactionReceipt({ hash });
      if (status === "reverted") throw new Error(`reverted: ${what}`);
    }
  }

  /** The deals of each case as the index has them, by what it is. */
  async function indexedDeals() {
    const rows = await service.database.query<{ tx: Hex; deals: string[][] }>(
      `select tx, json_agg(json_build_array(kind, account) order by log_index) as deals from (
         select tx, log_index, side::text as kind, trader as account from ${testSchema}.trade where chain_id = 56
         union all
         select tx, log_index, kind::text, provider from ${testSchema}.liquidity_change where chain_id = 56) deal
       group by tx`,
    );
    const dealsOf = new Map(rows.map(({ tx, deals }) => [tx, deals]));
    return Object.fromEntries([...made].map(([{ what }, tx]) => [what, dealsOf.get(tx)]));
  }

  const expectedDeals = () => Object.fromEntries([...made.keys()].map(({ what, deals }) => [what, deals]));

  /** Accounts whose open tokens aren't their balance, and positions whose costs don't add up. */
  async function unbalanced() {
    const balances = await service.database.query(
      `select token, account, open_tokens_raw, balance_raw from ${testSchema}.holder h
       left join ${testSchema}.position p using (chain_id, token, account)
       where chain_id = 56 and kind = 'account' and coalesce(open_tokens_raw, 0) <> balance_raw`,
    );
    const costs = await service.database.query(
      `select * from ${testSchema}.position where bnb_spent_wei + received_cost_wei - sent_cost_wei - open_cost_wei
         <> bnb_received_wei - realised_wei or open_cost_wei < 0`,
    );
    return { balances, costs };
  }

  async function expectAllRight(): Promise<void> {
    await service.expectIndexEqualsChain([chain]);
    expect(await unbalanced()).toEqual({ balances: [], costs: [] });
    expect(await indexedDeals()).toEqual(expectedDeals());
    expect(made.size).toBe(new Set(cases.map(({ what }) => what)).size);
  }

  test("each belongs to the account that the tokens reach or come from", async () => {
    await make(cases, 12);
    await expectAllRight();
  });

  onlyInLongRun(() => {
    test("the same after a reorg in which they come in another order", async () => {
      await chain.testClient.revert({ id: prepared });
      const { fraction } = createRandom(seed);
      const order = new Map(cases.map((each) => [each, fraction()]));
      await make(
        cases.toSorted((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0)),
        9,
      );
      await expectAllRight();
    });

    test("the same when the index is made again from the stored history", async () => {
      // Makes all of it final.
      await chain.testClient.mine({ blocks: 40 });
      await served().untilIndexed(chain);
      await service.indexer.stop();
      await service.database.query(`drop schema ${testSchema} cascade`);
      await service.restart();
      await expectAllRight();
    });
  });
}
