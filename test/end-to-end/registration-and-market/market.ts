import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import type { TestFeed } from "../../chain/price-feed.ts";
import { onlyInLongRun, sized } from "../../run/long-run.ts";
import { expectDays, expectMarketAnswers } from "../../service/market-check.ts";
import { registrationOf } from "../../service/registration.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { RegistrationServed } from "./served.ts";

/**
 * Compares prices, time windows, holder shares and creator records of tokens, and the launchpad's totals, with values computed
 * from the chain's logs. The feed's first answer comes after the first trades.
 */
export function testMarket(served: () => RegistrationServed): void {
  let chain: LaunchpadChain;
  let feed: TestFeed;
  let service: Service;
  let rest: RestClient;
  let busy: Address;
  let quiet: Address;
  let onDex: Address;
  let regained: Address;
  let dumped: Address;
  /** The registered tokens. */
  let listed: Address[];

  beforeAll(async () => {
    ({ service, rest } = served());
    ({ chain, feed, busy, quiet, onDex, regained, dumped } = served().market);
    const [creator, , late] = chain.traders;
    for (const [mint, by, name, symbol, burnPercent] of [
      [busy, creator, "Busy", "BUSY", 50],
      [onDex, late, "On the DEX", "DEX", 30],
      [regained, creator, "Regained", "AGAIN", 50],
    ] as const) {
      const body = registrationOf(mint, by, { name, symbol, burnPercent, chainId: 97 });
      expect((await rest.post("/api/tokens", body)).status).toBe(201);
    }
    listed = [busy, onDex, regained];
  });

  const milli = 10n ** 15n;

  const travel = (seconds: number) => chain.testClient.increaseTime({ seconds });

  /** Mines a block at exactly this Unix time in seconds. */
  async function mineAt(timestamp: bigint): Promise<void> {
    await chain.testClient.setNextBlockTimestamp({ timestamp });
    await chain.testClient.mine({ blocks: 1 });
  }

  const expectMarket = async () => {
    await served().untilIndexed(chain);
    return await expectMarketAnswers(rest, chain, listed);
  };

  const get = async (path: string) =>
    await rest.get(`/api/${path}${path.includes("?") ? "&" : "?"}chainId=97`);
  const tokenOf = async (mint: Address) => (await get(`token/${mint}`)).body;

  test("everything matches the chain's logs", async () => {
    const { entries, expected } = await expectMarket();
    const entryOf = (mint: Address) => entries[mint.toLowerCase()];
    expect(Object.keys(entries)).toHaveLength(5);

    // Spot checks that the computed values are as intended.
    expect(entryOf(busy).risk).toMatchObject({
      earlyBuyers: 2,
      earlyBuyersPercent: entryOf(busy).risk.creatorPercent,
    });
    expect(entryOf(busy).holderCount).toBe(15);
    expect(entryOf(busy).windows["1h"]).toMatchObject({ trades: 1, buys: 0, sells: 1, traders: 1 });
    expect(entryOf(busy).windows["1h"].priceChangePercent).toBeLessThan(0);
    expect(entryOf(busy).windows["24h"]).toMatchObject({ trades: 4, traders: 3 });
    expect(entryOf(quiet).windows["24h"]).toEqual({
      volumeBnb: "0",
      volumeUsd: "0",
      trades: 0,
      buys: 0,
      sells: 0,
      traders: 0,
      priceChangePercent: 0,
    });
    expect(entryOf(quiet)).toMatchObject({ lastTradeAt: null, volumeBnb: "0", trades: 0 });
    expect(entryOf(onDex)).toMatchObject({ graduated: true, trades: 3 });
    expect(entryOf(regained).creatorRecord).toEqual({
      tokensCreated: 3,
      tokensGraduated: 0,
      tokensSoldOut: 0,
    });
    expect(entryOf(dumped).creatorRecord).toEqual({ tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 1 });
    expect(entryOf(onDex).creatorRecord).toEqual({ tokensCreated: 1, tokensGraduated: 1, tokensSoldOut: 0 });
    expect(expected.stats).toMatchObject({ tokens: 5, graduatedTokens: 1, bnbUsd: "598.00000001" });
    // The first trades were before the feed's first answer.
    const buys = [5n, 2n, 3n];
    expect(entryOf(busy).buys).toBe(buys.length);
    expect(Number(entryOf(busy).volumeUsd)).toBeLessThan(0.003 * 598.1);
  });

  test("early buyers are marked among the holders, whoever has the tokens now", async () => {
    const { body } = await get(`token/${busy}/holders`);
    const marked = body.holders
      .filter(({ earlyBuyer }: { earlyBuyer: boolean }) => earlyBuyer)
      .map(({ address, label }: { address: string; label: string }) => [address, label]);
    expect(marked).toEqual([[chain.traders[0].toLowerCase(), "creator"]]);
    const dex = (await get(`token/${onDex}/holders`)).body;
    const early = dex.holders.find(({ earlyBuyer }: { earlyBuyer: boolean }) => earlyBuyer);
    expect(early.address).toBe(chain.traders[1].toLowerCase());
  });

  test("an unregistered token is found, and an unknown one is not", async () => {
    const registered = await tokenOf(onDex);
    expect(registered).toMatchObject({ registered: true, verified: false, registeredAt: expect.any(String) });
    const links = { twitterUrl: null, telegramUrl: null, websiteUrl: null };
    const texts = { description: null, imageUrl: null, imageHttpUrl: null, ...links };
    const entry = await tokenOf(quiet.toLowerCase() as Address);
    expect(entry).toMatchObject({
      ...texts,
      name: "Quiet",
      symbol: "QUIET",
      burnPercent: 70,
      holderCount: 0,
    });
    expect(entry).toMatchObject({ registered: false, verified: false, registeredAt: null });
    expect(Object.keys(entry)).toEqual(Object.keys(registered));

    const unknown = await get(`token/0x${"12".repeat(20)}`);
    expect([unknown.status, unknown.body.code]).toEqual([404, "token_not_found"]);
    expect((await rest.get(`/api/token/${quiet}?chainId=56`)).status).toBe(404);
    const malformed = await get(`token/${quiet}ff`);
    expect([malformed.status, malformed.body.errors[0].path]).toEqual([400, "mint"]);
  });

  test("a trade leaves a window once it is as old as the window is long", async () => {
    const [, , late] = chain.traders;
    await chain.buy(late, busy, milli);
    const { timestamp } = await chain.publicClient.getBlock();
    const lengths = [
      ["5m", 300n],
      ["1h", 3_600n],
      ["6h", 21_600n],
      ["24h", 86_400n],
    ] as const;
    const tested = sized<readonly (typeof lengths)[number][]>({
      usual: [lengths[0], lengths[3]],
      long: lengths,
    });
    for (const [name, length] of tested) {
      await mineAt(timestamp + length - 1n);
      const { entries: inside } = await expectMarket();
      expect(inside[busy.toLowerCase()].windows[name]).toMatchObject({ buys: 1, traders: 1 });
      expect(inside[busy.toLowerCase()].windows[name].priceChangePercent).toBeGreaterThan(0);

      await mineAt(timestamp + length);
      const { entries: outside } = await expectMarket();
      expect(outside[busy.toLowerCase()].windows[name]).toEqual({
        volumeBnb: "0",
        volumeUsd: "0",
        trades: 0,
        buys: 0,
        sells: 0,
        traders: 0,
        priceChangePercent: 0,
      });
    }
  });

  test("a token younger than every window and one that trades again after a day have correct windows", async () => {
    const [creator, buyer] = chain.traders;
    const young = await chain.create(creator, "Young", "YOUNG");
    await chain.buy(buyer, young, 10n * milli);
    await chain.buyOnDex(buyer, onDex, 2n * milli);
    const { entries } = await expectMarket();
    const { windows } = entries[young.toLowerCase()];
    for (const window of Object.values(windows)) {
      // 1.1² of the opening price, less the contract's rounding.
      expect(window).toEqual({ ...windows["5m"], priceChangePercent: 20.9999 });
    }
    expect(entries[onDex.toLowerCase()].windows["24h"]).toMatchObject({ trades: 1, volumeBnb: "0.002" });
  });

  onlyInLongRun(() => {
    test("trades removed by a reorg are in no window", async () => {
      const [creator, buyer] = chain.traders;
      await expectMarket();
      const snapshot = await chain.testClient.snapshot();
      const lost = await chain.create(creator, "Lost", "LOST");
      await chain.buy(buyer, lost, graduatingAmount);
      await feed.answer(1_000_00000000n);
      await expectMarket();
      await chain.testClient.revert({ id: snapshot });
      await chain.buy(buyer, busy, milli);
      await service.expectIndexEqualsChain([chain]);
      await chain.testClient.mine({ blocks: 3 });
      await expectMarket();
    });
  });

  test("the launchpad's recent daily totals cover days with and without trades, a rate, or any activity", async () => {
    const [creator, buyer] = chain.traders;
    // A day with only a creation, an empty one, and one with trades.
    await travel(86_400);
    await chain.create(creator, "Day", "DAY");
    await travel(2 * 86_400);
    await chain.buy(buyer, busy, milli);
    await chain.sell(buyer, busy, await chain.balanceOf(busy, buyer));
    await served().untilIndexed(chain);
    await expectDays(rest, chain, [31, 4, 1]);
    expect((await get("stats/days")).body.days).toHaveLength(30);
    for (const days of ["0", "32", "x", ""]) {
      const { status, body } = await get(`stats/days?days=${days}`);
      expect([status, body.errors[0].path]).toEqual([400, "days"]);
    }
  });
}
