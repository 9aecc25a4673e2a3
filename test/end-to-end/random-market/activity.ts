import { beforeAll, expect, test } from "vitest";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { activityOnceAsInLogs, expectedActivity } from "../../reference-market/activity.ts";
import { onlyInLongRun } from "../../run/long-run.ts";
import type { Service } from "../../service/service.ts";

const hour = 3_600;

/** The activity of tokens in the last 24 hours, while days pass. */
export function testActivity(served: () => { chain: LaunchpadChain; service: Service }): void {
  let chain: LaunchpadChain;
  let service: Service;

  beforeAll(async () => {
    ({ chain, service } = served());
    await chain.testClient.setAutomine(true);
  });

  /** Resolves with the active tokens, once the tables match the chain's logs. */
  const activityOnceEqual = () => activityOnceAsInLogs(chain, service.database);

  async function passTime(seconds: number): Promise<void> {
    await chain.testClient.increaseTime({ seconds });
    await chain.testClient.mine({ blocks: 1 });
  }

  test("the activity covers exactly the trades of the last 24 hours, which drop out even when nothing else happens", async () => {
    const [creator, buyer] = chain.traders;
    await passTime(12 * hour);
    const token = await chain.create(creator);
    await chain.buy(buyer, token, 10n ** 15n);
    const before = await activityOnceEqual();
    expect(before.length).toBeGreaterThan(3);
    await passTime(13 * hour);
    expect(await activityOnceEqual()).toEqual([
      { address: token.toLowerCase(), volume: String(10n ** 15n), trades: 1, traders: 1 },
    ]);
    await passTime(12 * hour);
    expect(await activityOnceEqual()).toEqual([]);
  });

  onlyInLongRun(() => {
    test("a reorg removes trades, and brings back others that had left the 24 hours", async () => {
      const [creator, buyer, other] = chain.traders;
      const token = await chain.create(creator);
      await chain.buy(buyer, token, 10n ** 15n);
      await chain.buy(other, token, 2n * 10n ** 15n);
      const before = await activityOnceEqual();
      const snapshot = await chain.testClient.snapshot();
      const lost = await chain.create(buyer);
      await chain.buy(buyer, lost, 10n ** 15n);
      await passTime(25 * hour);
      await chain.buy(buyer, lost, 10n ** 15n);
      expect((await activityOnceEqual()).map(({ address }) => address)).toEqual([lost.toLowerCase()]);

      await chain.testClient.revert({ id: snapshot });
      await chain.testClient.mine({ blocks: 5 });
      expect(await activityOnceEqual()).toEqual(before);
      expect(before).toHaveLength(1);
    });
  });

  test("GraphQL filters and orders by activity", async () => {
    const [creator, buyer] = chain.traders;
    for (const amount of [10n ** 14n, 4n * 10n ** 15n, 2n * 10n ** 15n]) {
      await chain.buy(buyer, await chain.create(creator), amount);
    }
    const active = await activityOnceEqual();
    const { activeTokens } = await service.indexer.graphql<{
      activeTokens: { items: { address: string; volume24hWei: string; name: string; measuredAt: string }[] };
    }>(
      `{ activeTokens(where: { chainId: 56, volume24hWei_gt: "${10n ** 14n}" }, orderBy: "volume24hWei", orderDirection: "desc") {
        items { address name volume24hWei trades24h traders24h measuredAt } } }`,
    );
    const expected = active
      .filter(({ volume }) => BigInt(volume) > 10n ** 14n)
      .toSorted((left, right) => Number(BigInt(right.volume) - BigInt(left.volume)));
    expect(expected.length).toBeGreaterThan(1);
    expect(activeTokens.items.map(({ address, volume24hWei }) => ({ address, volume24hWei }))).toEqual(
      expected.map(({ address, volume }) => ({ address, volume24hWei: volume })),
    );
    expect(BigInt(activeTokens.items[0]?.measuredAt ?? 0)).toBe((await expectedActivity(chain)).at);
  });
}
