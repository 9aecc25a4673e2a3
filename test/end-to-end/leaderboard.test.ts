import { afterAll, beforeAll, expect, test } from "vitest";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { expectedMarket } from "../reference-market/expected-market.ts";
import { leaderDifferences } from "../reference-market/rest-leaders.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

const day = 86_400;

let chain: LaunchpadChain;
let service: Service;
let rest: RestClient;

beforeAll(async () => {
  chain = await startLaunchpadChain({ hours: 60 * 24 });
  const [creator, buyer, friend] = chain.traders;
  const later = async (seconds: number) => {
    await chain.testClient.increaseTime({ seconds });
    await chain.testClient.mine({ blocks: 1 });
  };
  const old = await chain.create(creator);
  await chain.buy(buyer, old, 10n ** 16n);
  await chain.sell(buyer, old, await chain.balanceOf(old, buyer));
  await later(31 * day);
  const graduated = await chain.create(creator);
  await chain.buy(buyer, graduated, graduatingAmount);
  await later(6 * day);
  // What came by transfer cost nothing; what is sold on the DEX was bought on the curve.
  await chain.transfer(buyer, graduated, friend, (await chain.balanceOf(graduated, buyer)) / 3n);
  await chain.sellOnDex(friend, graduated, (await chain.balanceOf(graduated, friend)) / 2n);
  await chain.sellOnDex(buyer, graduated, (await chain.balanceOf(graduated, buyer)) / 2n);
  await later(2 * day);
  // Two that tie: as many tokens created, and bought for as much.
  for (const account of [creator, friend]) {
    const token = await chain.create(account);
    await chain.buy(account, token, 10n ** 15n);
  }
  service = await startService([chain]);
  await service.indexer.untilReady();
  rest = await createRestClient(service.indexer.url);
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
});

test("every board in every window is what the logs say, in the same order", async () => {
  const expected = await expectedMarket(chain);
  await service.indexer.untilIndexed(chain.chainId, await chain.head());
  const get = async (path: string) => (await rest.get(`/api/${path}`)).body;
  expect(await leaderDifferences(get, expected)).toEqual([]);
});

test("accounts with equal values are in the order of their addresses", async () => {
  const [creator, , friend] = chain.traders.map((address) => address.toLowerCase());
  const tied = [creator, friend].toSorted().reverse();
  for (const query of ["by=created&window=24h", "by=volume&window=24h", "by=trades&window=24h"]) {
    const { body } = await rest.get(`/api/leaderboard?${query}`);
    expect(body.leaders.map(({ address }: { address: string }) => address)).toEqual(tied);
    expect(body.total).toBe(2);
  }
});

test("GraphQL orders accounts by the same totals", async () => {
  const { body } = await rest.get("/api/leaderboard?by=volume&limit=3");
  const { accounts } = await service.indexer.graphql<{ accounts: { items: { address: string }[] } }>(
    `{ accounts(where: { chainId: 56 }, orderBy: "volumeWei", orderDirection: "desc", limit: 3) { items { address } } }`,
  );
  expect(accounts.items).toEqual(body.leaders.map(({ address }: { address: string }) => ({ address })));
});

test("a page below the deepest rank, and values that it does not know, are refused", async () => {
  for (const query of ["page=51&limit=100", "page=5001&limit=1", "by=profit", "window=1h", "days=3"]) {
    const { status, body } = await rest.get(`/api/leaderboard?${query}`);
    expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: "invalid_request" });
  }
  expect((await rest.get("/api/leaderboard?page=50&limit=100")).body.leaders).toEqual([]);
});
