import { afterAll, beforeAll, expect, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { expectedMarket } from "../reference-market/expected-market.ts";
import { until } from "../service/condition.ts";
import type { Indexer } from "../service/indexer.ts";
import { type Service, startService } from "../service/service.ts";

const hour = 3_600;

let chain: LaunchpadChain;
let service: Service;

beforeAll(async () => {
  chain = await startLaunchpadChain({ hours: 7 * 24 });
  await chain.trade(5, { blocks: 40, actionsPerBlock: 8, creations: 0.05 });
  service = await startService([chain]);
  await service.indexer.untilReady();
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
});

type Active = { address: string; volume: string; trades: number; traders: number };

/** What the logs say of every token that was traded in the last 24 hours. */
async function expectedActivity(): Promise<{ at: bigint; tokens: Active[] }> {
  const { windows, head } = await expectedMarket(chain);
  const tokens = windows
    .filter(({ window, buys, sells }) => window === "24h" && buys + sells > 0)
    .map(({ token, volume, buys, sells, traders }) => ({
      ...{ address: token, volume: String(volume), trades: buys + sells, traders },
    }))
    .toSorted((left, right) => Number(left.address > right.address) - 0.5);
  return { at: head.timestamp, tokens };
}

const inTables = async (): Promise<{ at: bigint; tokens: Active[] }> => {
  const tokens = await service.database.query<Active>(
    `select address, volume_24h_wei::text as volume, trades_24h as trades, traders_24h as traders
     from onchain.active_token where chain_id = $1 order by address`,
    [chain.chainId],
  );
  const [state] = await service.database.query<{ at: string }>(
    "select measured_at::text as at from offchain.token_activity_state where chain_id = $1",
    [chain.chainId],
  );
  return { at: BigInt(state?.at ?? 0), tokens };
};

/** Resolves with what is active, once the tables say what the logs say. */
async function activityOnceEqual(): Promise<Active[]> {
  const expected = await expectedActivity();
  let found: Awaited<ReturnType<typeof inTables>> | undefined;
  await until("the activity to equal the chain", async () => {
    found = await inTables();
    return found.at === expected.at && JSON.stringify(found.tokens) === JSON.stringify(expected.tokens);
  }).catch(() => expect(found).toEqual(expected));
  return expected.tokens;
}

async function pass(seconds: number): Promise<void> {
  await chain.testClient.increaseTime({ seconds });
  await chain.testClient.mine({ blocks: 1 });
}

test("of tokens that were traded, exactly what was traded in the last 24 hours", async () => {
  expect((await activityOnceEqual()).length).toBeGreaterThan(3);
});

test("trades leave the 24 hours although nothing happens", async () => {
  const [creator, buyer] = chain.traders;
  await pass(12 * hour);
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 15n);
  const before = await activityOnceEqual();
  expect(before.length).toBeGreaterThan(3);
  await pass(13 * hour);
  expect(await activityOnceEqual()).toEqual([
    { address: token.toLowerCase(), volume: String(10n ** 15n), trades: 1, traders: 1 },
  ]);
  await pass(12 * hour);
  expect(await activityOnceEqual()).toEqual([]);
});

test("a reorg takes back trades, and brings back others that had left", async () => {
  const [creator, buyer, other] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 15n);
  await chain.buy(other, token, 2n * 10n ** 15n);
  const before = await activityOnceEqual();
  const snapshot = await chain.testClient.snapshot();
  const lost = await chain.create(buyer);
  await chain.buy(buyer, lost, 10n ** 15n);
  await pass(25 * hour);
  await chain.buy(buyer, lost, 10n ** 15n);
  expect((await activityOnceEqual()).map(({ address }) => address)).toEqual([lost.toLowerCase()]);

  await chain.testClient.revert({ id: snapshot });
  await chain.testClient.mine({ blocks: 5 });
  expect(await activityOnceEqual()).toEqual(before);
  expect(before).toHaveLength(1);
});

test("after a crash, with a replica beside the indexer", async () => {
  const [creator, , other] = chain.traders;
  let replica: Indexer | undefined;
  try {
    await service.indexer.kill();
    const token = await chain.create(creator);
    await chain.buy(other, token, 4n * 10n ** 15n);
    await service.restart();
    await service.indexer.untilReady();
    replica = await service.startReplica();
    expect((await activityOnceEqual()).map(({ address }) => address)).toContain(token.toLowerCase());
  } finally {
    await replica?.stop();
  }
});

test("GraphQL filters and orders by it", async () => {
  const [creator, buyer] = chain.traders;
  const quiet = await chain.create(creator);
  await chain.buy(buyer, quiet, 10n ** 14n);
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
  expect(BigInt(activeTokens.items[0]?.measuredAt ?? 0)).toBe((await expectedActivity()).at);
});
