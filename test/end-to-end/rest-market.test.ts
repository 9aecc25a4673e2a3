import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startPriceFeed, type TestFeed } from "../chain/price-feed.ts";
import { expectedAnswers } from "../reference-market/expected-answers.ts";
import { until } from "../service/condition.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/*
 * Prices, windows, shares and records of tokens, and the launchpad's totals, against what the test computes from the chain's
 * logs. Mainnet has a price feed, which answers after the first trades; testnet has none.
 */

let mainnet: LaunchpadChain;
let testnet: LaunchpadChain;
let feed: TestFeed;
let service: Service;
let rest: RestClient;
/** Traded by many; never traded; graduated; sold out by its creator, who bought again. */
let busy: Address;
let quiet: Address;
let onDex: Address;
let regained: Address;
/** Of another creator, who sold out for good. */
let dumped: Address;
let onTestnet: Address;

const milli = 10n ** 15n;
const friend = () => mainnet.traders[5] as Address;

const sellAll = async (account: Address, token: Address) =>
  mainnet.sell(account, token, await mainnet.balanceOf(token, account));

const travel = (seconds: number) => mainnet.testClient.increaseTime({ seconds });

/** Lets a block be mined at exactly this time, seconds since 1970. */
async function mineAt(timestamp: bigint): Promise<void> {
  await mainnet.testClient.setNextBlockTimestamp({ timestamp });
  await mainnet.testClient.mine({ blocks: 1 });
}

beforeAll(async () => {
  [mainnet, testnet] = await Promise.all([startLaunchpadChain(), startLaunchpadChain({ chainId: 97 })]);
  feed = await startPriceFeed(mainnet);
  const [creator, early, late, dumper] = mainnet.traders as [Address, Address, Address, Address];

  busy = await mainnet.create(creator, "Busy", "BUSY");
  await mainnet.buy(early, busy, 5n * milli);
  await mainnet.buy(creator, busy, 2n * milli);
  // The fourth block of the curve.
  await mainnet.buy(late, busy, 3n * milli);
  await mainnet.transfer(early, busy, friend(), await mainnet.balanceOf(busy, early));
  await mainnet.transfer(late, busy, "0x000000000000000000000000000000000000dEaD", 10n ** 24n);
  // More than ten holders: without the burn address, which has more than most of them.
  for (let index = 1; index <= 12; index++) {
    const account = `0x${String(index).padStart(40, "9")}` as const;
    await mainnet.transfer(late, busy, account, BigInt(index) * 10n ** 23n);
  }
  quiet = await mainnet.create(creator, "Quiet", "QUIET", 70);
  await feed.answer(612_34567890n);

  onDex = await mainnet.create(late, "On the DEX", "DEX", 30);
  await mainnet.buy(early, onDex, graduatingAmount);
  await mainnet.buyOnDex(friend(), onDex, 7n * milli);
  await travel(30_000);
  await feed.answer(598_00000001n);
  await mainnet.sellOnDex(early, onDex, (await mainnet.balanceOf(onDex, early)) / 3n);

  regained = await mainnet.create(creator, "Regained", "AGAIN");
  await mainnet.buy(creator, regained, 4n * milli);
  await sellAll(creator, regained);
  await travel(4_000);
  await mainnet.buy(creator, regained, milli);
  dumped = await mainnet.create(dumper, "Dumped", "DUMP");
  await mainnet.buy(dumper, dumped, 9n * milli);
  await travel(400);
  await sellAll(dumper, dumped);
  await mainnet.sell(late, busy, (await mainnet.balanceOf(busy, late)) / 2n);

  onTestnet = await testnet.create(creator, "Only on testnet", "TEST");
  await testnet.buy(early, onTestnet, milli);

  service = await startService([mainnet, testnet], { env: { BNB_USD_FEED_ADDRESS_56: feed.aggregator } });
  await service.indexer.untilReady();
  await indexed();
  rest = await createRestClient(service.indexer.url);
  for (const [mint, by, name, symbol, burnPercent] of [
    [busy, creator, "Busy", "BUSY", 50],
    [onDex, late, "On the DEX", "DEX", 30],
    [regained, creator, "Regained", "AGAIN", 50],
  ] as const) {
    const body = registrationOf(mint, by, { name, symbol, burnPercent });
    expect((await rest.post("/api/tokens", body)).status).toBe(201);
  }
});

afterAll(async () => {
  await service?.stop();
  await mainnet?.stop();
  await testnet?.stop();
});

async function indexed(): Promise<void> {
  for (const chain of [mainnet, testnet]) {
    await service.indexer.untilIndexed(chain.chainId, await chain.head());
  }
}

const tokenOf = async (mint: Address, query = "") => (await rest.get(`/api/token/${mint}${query}`)).body;

/** Every answer about the market of a chain is what its logs say. */
async function expectMarket(chain: LaunchpadChain, registered: Address[]) {
  await indexed();
  const query = `chainId=${chain.chainId}`;
  const expected = await expectedAnswers(chain);
  const mints = Object.keys(expected.tokens) as Address[];
  const entries = await Promise.all(mints.map((mint) => tokenOf(mint, `?${query}`)));
  expect(Object.fromEntries(entries.map((entry) => [entry.mint, entry]))).toEqual(
    Object.fromEntries(
      mints.map((mint, index) => [mint, { ...entries[index], ...expected.tokens[mint] }] as const),
    ),
  );
  const { body: list } = await rest.get(`/api/tokens?${query}`);
  expect(list.tokens.map(({ mint }: { mint: Address }) => mint).sort()).toEqual(
    registered.map((mint) => mint.toLowerCase()).sort(),
  );
  for (const entry of list.tokens) expect(entries).toContainEqual({ ...entry, ...only(entries, entry.mint) });
  for (const mint of mints) {
    const { body } = await rest.get(`/api/token/${mint}/holders?${query}`);
    expect(body.risk).toEqual(expected.tokens[mint]?.risk);
  }
  expect((await rest.get(`/api/stats?${query}`)).body).toEqual({
    ...expected.stats,
    registeredTokens: registered.length,
  });
  return { entries: Object.fromEntries(entries.map((entry) => [entry.mint, entry])), expected };
}

/** What an entry has in the answer for one token alone. */
function only(entries: Record<string, unknown>[], mint: string) {
  const { sameSymbolTokens, buyImpacts } = entries.find((entry) => entry.mint === mint) ?? {};
  return { sameSymbolTokens, buyImpacts };
}

const listedOnMainnet = () => [busy, onDex, regained];

test("everything is what the chain's logs say", async () => {
  const { entries, expected } = await expectMarket(mainnet, listedOnMainnet());
  const entryOf = (mint: Address) => entries[mint.toLowerCase()];
  expect(Object.keys(entries)).toHaveLength(5);

  // What is computed is what it should be, in words.
  expect(entryOf(busy).risk).toMatchObject({
    earlyBuyers: 2,
    earlyBuyersPercent: entryOf(busy).risk.creatorPercent,
  });
  expect(entryOf(busy).holderCount).toBe(15);
  expect(entryOf(busy).windows["1h"]).toMatchObject({ trades: 1, buys: 0, sells: 1, traders: 1 });
  expect(entryOf(busy).windows["1h"].priceChangePercent).toBeLessThan(0);
  expect(entryOf(busy).windows["24h"]).toMatchObject({ trades: 4, traders: 3 });
  expect(entryOf(quiet).windows["24h"]).toEqual({
    ...{ volumeBnb: "0", volumeUsd: "0", trades: 0, buys: 0, sells: 0, traders: 0, priceChangePercent: 0 },
  });
  expect(entryOf(quiet)).toMatchObject({ lastTradeAt: null, volumeBnb: "0", trades: 0 });
  expect(entryOf(onDex)).toMatchObject({ graduated: true, trades: 3 });
  expect(entryOf(regained).creatorRecord).toEqual({ tokensCreated: 3, tokensGraduated: 0, tokensSoldOut: 0 });
  expect(entryOf(dumped).creatorRecord).toEqual({ tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 1 });
  expect(entryOf(onDex).creatorRecord).toEqual({ tokensCreated: 1, tokensGraduated: 1, tokensSoldOut: 0 });
  expect(expected.stats).toMatchObject({ tokens: 5, graduatedTokens: 1, bnbUsd: "598.00000001" });
  // The first trades came before the feed's first answer.
  const buys = [5n, 2n, 3n];
  expect(entryOf(busy).buys).toBe(buys.length);
  expect(Number(entryOf(busy).volumeUsd)).toBeLessThan(0.003 * 598.1);
});

test("who bought early is marked among the holders, whoever has the tokens now", async () => {
  const { body } = await rest.get(`/api/token/${busy}/holders`);
  const marked = body.holders
    .filter(({ earlyBuyer }: { earlyBuyer: boolean }) => earlyBuyer)
    .map(({ address, label }: { address: string; label: string }) => [address, label]);
  expect(marked).toEqual([[mainnet.traders[0].toLowerCase(), "creator"]]);
  const dex = (await rest.get(`/api/token/${onDex}/holders`)).body;
  const early = dex.holders.find(({ earlyBuyer }: { earlyBuyer: boolean }) => earlyBuyer);
  expect(early.address).toBe(mainnet.traders[1].toLowerCase());
});

test("a token that nobody registered, and one that there is not", async () => {
  const registered = await tokenOf(onDex);
  expect(registered).toMatchObject({ registered: true, verified: false, registeredAt: expect.any(String) });
  const links = { twitterUrl: null, telegramUrl: null, websiteUrl: null };
  const texts = { description: null, imageUrl: null, imageHttpUrl: null, ...links };
  const entry = await tokenOf(quiet.toLowerCase() as Address);
  expect(entry).toMatchObject({ ...texts, name: "Quiet", symbol: "QUIET", burnPercent: 70, holderCount: 0 });
  expect(entry).toMatchObject({ registered: false, verified: false, registeredAt: null });
  expect(Object.keys(entry)).toEqual(Object.keys(registered));

  const unknown = await rest.get(`/api/token/0x${"12".repeat(20)}`);
  expect([unknown.status, unknown.body.code]).toEqual([404, "token_not_found"]);
  expect((await rest.get(`/api/token/${quiet}?chainId=97`)).status).toBe(404);
  const malformed = await rest.get(`/api/token/${quiet}ff`);
  expect([malformed.status, malformed.body.errors[0].path]).toEqual([400, "mint"]);
});

test("without a price feed nothing is in USD", async () => {
  await expectMarket(testnet, []);
  const texts = await Promise.all(
    [`token/${onTestnet}`, "stats", `token/${onTestnet}/holders`].map(
      async (path) => (await rest.get(`/api/${path}?chainId=97`)).text,
    ),
  );
  for (const text of texts) expect(text).not.toMatch(/usd/i);
  const { body } = await rest.get("/api/stats?chainId=97");
  expect(body).toMatchObject({ tokens: 1, registeredTokens: 0, volumeBnb: "0.001", buys: 1 });
});

test("where a trade left no price, the one before stands", async () => {
  const [, , late] = testnet.traders;
  await testnet.buy(late, onTestnet, 2n * milli);
  await testnet.testClient.increaseTime({ seconds: 4_000 });
  await testnet.buy(late, onTestnet, 3n * milli);
  await indexed();
  const changeIn1h = async () => (await tokenOf(onTestnet, "?chainId=97")).windows["1h"].priceChangePercent;
  const takePrices = (first: number) =>
    service.database.query(
      // Ponder's triggers would record each change for a reorg.
      `set session_replication_role = replica;
       update onchain.trade set token_reserves_raw = 0 where chain_id = 97 and buys_to_date between ${first} and 2;
       reset session_replication_role`,
    );
  // The reserves of BNB went from 0.101 or 0.103 to 0.106, and at first from 0.1; the price with their square.
  const bnb = (milliBnb: number) => (106 / milliBnb) ** 2 * 100 - 100;
  expect(await changeIn1h()).toBeCloseTo(bnb(103), 3);
  await takePrices(2);
  expect(await changeIn1h()).toBeCloseTo(bnb(101), 3);
  await takePrices(1);
  expect(await changeIn1h()).toBeCloseTo(bnb(100), 3);
});

test("a trade is in a window until it is as old as the window is long", async () => {
  const [, , late] = mainnet.traders;
  await mainnet.buy(late, busy, milli);
  const { timestamp } = await mainnet.publicClient.getBlock();
  for (const [name, length] of [
    ["5m", 300n],
    ["1h", 3_600n],
    ["6h", 21_600n],
    ["24h", 86_400n],
  ] as const) {
    await mineAt(timestamp + length - 1n);
    const { entries: inside } = await expectMarket(mainnet, listedOnMainnet());
    expect(inside[busy.toLowerCase()].windows[name]).toMatchObject({ buys: 1, traders: 1 });
    expect(inside[busy.toLowerCase()].windows[name].priceChangePercent).toBeGreaterThan(0);

    await mineAt(timestamp + length);
    const { entries: outside } = await expectMarket(mainnet, listedOnMainnet());
    expect(outside[busy.toLowerCase()].windows[name]).toEqual({
      ...{ volumeBnb: "0", volumeUsd: "0", trades: 0, buys: 0, sells: 0, traders: 0, priceChangePercent: 0 },
    });
  }
});

test("a token younger than every window, and one that trades again after a day", async () => {
  const [creator, buyer] = mainnet.traders;
  const young = await mainnet.create(creator, "Young", "YOUNG");
  await mainnet.buy(buyer, young, 10n * milli);
  await mainnet.buyOnDex(buyer, onDex, 2n * milli);
  const { entries } = await expectMarket(mainnet, listedOnMainnet());
  const { windows } = entries[young.toLowerCase()];
  for (const window of Object.values(windows)) {
    // 1.1² of the opening price, less what the contract rounds down.
    expect(window).toEqual({ ...windows["5m"], priceChangePercent: 20.9999 });
  }
  expect(entries[onDex.toLowerCase()].windows["24h"]).toMatchObject({ trades: 1, volumeBnb: "0.002" });
});

test("what a reorg takes back is in no window", async () => {
  const [creator, buyer] = mainnet.traders;
  await expectMarket(mainnet, listedOnMainnet());
  const snapshot = await mainnet.testClient.snapshot();
  const lost = await mainnet.create(creator, "Lost", "LOST");
  await mainnet.buy(buyer, lost, graduatingAmount);
  await feed.answer(1_000_00000000n);
  await expectMarket(mainnet, listedOnMainnet());
  await mainnet.testClient.revert({ id: snapshot });
  await mainnet.buy(buyer, busy, milli);
  await service.expectIndexEqualsChain();
  await mainnet.testClient.mine({ blocks: 3 });
  await expectMarket(mainnet, listedOnMainnet());
});

test("the last days of the launchpad, with and without trades, a rate, and anything at all", async () => {
  const [creator, buyer] = mainnet.traders;
  // A day that has only a creation, one without anything, and one that has trades.
  await travel(86_400);
  await mainnet.create(creator, "Day", "DAY");
  await travel(2 * 86_400);
  await mainnet.buy(buyer, busy, milli);
  await sellAll(buyer, busy);
  await indexed();
  for (const [chain, counts] of [
    [mainnet, [31, 4, 1]],
    [testnet, [2]],
  ] as const) {
    const expected = await expectedAnswers(chain);
    for (const count of counts) {
      const query = `chainId=${chain.chainId}&days=${count}`;
      // What was read before is answered for some seconds.
      await until(`${count} days as of now`, async () => {
        const { body } = await rest.get(`/api/stats/days?${query}`);
        return body.asOf.block === expected.stats.asOf.block;
      });
      const { body } = await rest.get(`/api/stats/days?${query}`);
      const { chainId, asOf } = expected.stats;
      expect(body).toEqual({ chainId, asOf, days: expected.days(count) });
    }
  }
  expect((await rest.get("/api/stats/days")).body.days).toHaveLength(30);
  for (const days of ["0", "32", "x", ""]) {
    const { status, body } = await rest.get(`/api/stats/days?days=${days}`);
    expect([status, body.errors[0].path]).toEqual([400, "days"]);
  }
});
