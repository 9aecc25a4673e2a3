import { afterAll, beforeAll, expect, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../support/launchpad-chain.ts";
import { type Service, startService } from "../support/service.ts";

let chain: LaunchpadChain;
let service: Service;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  await chain.trade(1, { blocks: 250, actionsPerBlock: 42, creations: 0.012 });
  service = await startService([chain]);
  await service.indexer.untilReady();
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
});

test("the index equals the chain after 10,000 random transactions on 100 tokens", async () => {
  await service.expectIndexEqualsChain();

  const blocks = await chain.publicClient.getBlock();
  expect(blocks.number).toBeGreaterThan(250n);
  const [made] = await service.database.query(
    `select (select count(*)::int from onchain.token) as tokens,
            (select count(distinct tx)::int from onchain.trade) as trades,
            (select count(*)::int from onchain.trade where venue = 'dex') as dex_trades,
            (select count(*)::int from onchain.curve where graduated) as graduated`,
  );
  expect(made?.tokens).toBeGreaterThanOrEqual(100);
  expect(made?.trades).toBeGreaterThanOrEqual(8_000);
  expect(made?.dex_trades).toBeGreaterThan(1_000);
  expect(made?.graduated).toBeGreaterThan(10);
  expect(await chain.transactionCount()).toBeGreaterThanOrEqual(10_000);
});

test("what is traded from then on is indexed live, on the curve and on the DEX", async () => {
  const [creator, buyer, friend] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 16n);
  await chain.transfer(buyer, token, friend, (await chain.balanceOf(token, buyer)) / 3n);
  await chain.sell(friend, token, await chain.balanceOf(token, friend));
  await chain.burn(buyer, token, 12_345n);
  await chain.buy(creator, token, 10n ** 17n);
  await chain.buyOnDex(friend, token, 10n ** 15n);
  await chain.sellOnDex(buyer, token, (await chain.balanceOf(token, buyer)) / 2n);
  await service.expectIndexEqualsChain();

  const { token: indexed } = await service.indexer.graphql<{
    token: { curve: { graduated: boolean; progress: number }; trades: { items: object[] } };
  }>(
    `query ($token: String!) {
      token(chainId: 56, address: $token) {
        curve { graduated progress }
        trades(orderBy: "timestamp", orderDirection: "desc") { items { venue side trader } }
      }
    }`,
    { token },
  );
  const [first, second] = [creator, buyer].map((address) => address.toLowerCase());
  expect(indexed.curve).toEqual({ graduated: true, progress: 100 });
  expect(indexed.trades.items).toEqual([
    { venue: "dex", side: "sell", trader: second },
    { venue: "dex", side: "buy", trader: friend.toLowerCase() },
    { venue: "curve", side: "buy", trader: first },
    { venue: "curve", side: "sell", trader: friend.toLowerCase() },
    { venue: "curve", side: "buy", trader: second },
  ]);
});
