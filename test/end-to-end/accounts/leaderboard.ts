import { beforeAll, expect, test } from "vitest";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { expectedMarket } from "../../reference-market/expected-market.ts";
import { leaderDifferences } from "../../reference-market/rest-leaders.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { AccountsServed } from "./served.ts";

export function testLeaderboard(served: () => AccountsServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;

  beforeAll(() => {
    ({ testnet: chain, service, rest } = served());
  });

  test("every board in every window matches the chain's logs, in the same order", async () => {
    const expected = await expectedMarket(chain);
    await service.indexer.untilIndexed(chain.chainId, await chain.head());
    const get = async (path: string) => (await rest.get(`/api/${path}&chainId=97`)).body;
    expect(await leaderDifferences(get, expected)).toEqual([]);
  });

  test("accounts with equal values are ordered by address", async () => {
    const [creator, , friend] = chain.traders.map((address) => address.toLowerCase());
    const tied = [creator, friend].toSorted().reverse();
    for (const query of ["by=created&window=24h", "by=volume&window=24h", "by=trades&window=24h"]) {
      const { body } = await rest.get(`/api/leaderboard?${query}&chainId=97`);
      expect(body.leaders.map(({ address }: { address: string }) => address)).toEqual(tied);
      expect(body.total).toBe(2);
    }
  });

  test("GraphQL orders accounts by the same totals", async () => {
    const { body } = await rest.get("/api/leaderboard?by=volume&limit=3&chainId=97");
    const { accounts } = await service.indexer.graphql<{ accounts: { items: { address: string }[] } }>(
      `{ accounts(where: { chainId: 97 }, orderBy: "volumeWei", orderDirection: "desc", limit: 3) { items { address } } }`,
    );
    expect(accounts.items).toEqual(body.leaders.map(({ address }: { address: string }) => ({ address })));
  });

  test("a page beyond the deepest rank and unknown parameter values are refused", async () => {
    const { nextCursor } = (await rest.get("/api/leaderboard?by=trades&limit=1&chainId=97")).body;
    for (const query of [
      ...["page=51&limit=100", "page=5001&limit=1", "by=profit", "window=1h", "days=3"],
      ...[`by=volume&cursor=${nextCursor}`, `by=trades&window=7d&cursor=${nextCursor}`, "cursor=x"],
      `by=trades&page=1&cursor=${nextCursor}`,
    ]) {
      const { status, body } = await rest.get(`/api/leaderboard?${query}&chainId=97`);
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: "invalid_request" });
    }
    expect((await rest.get("/api/leaderboard?page=50&limit=100&chainId=97")).body.leaders).toEqual([]);
  });
}
