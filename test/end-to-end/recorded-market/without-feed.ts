import { beforeAll, expect, test } from "vitest";
import { expectDays, expectMarketAnswers } from "../../service/market-check.ts";
import type { ServedMarket } from "../../service/served-market.ts";

const milli = 10n ** 15n;

/** A chain with one token and no price feed. */
export function testWithoutFeed(served: () => ServedMarket): void {
  let testnet: ServedMarket["testnet"];
  let elsewhere: ServedMarket["elsewhere"];
  let service: ServedMarket["service"];
  let rest: ServedMarket["rest"];

  beforeAll(() => {
    ({ testnet, elsewhere, service, rest } = served());
  });

  const indexed = async () => service.indexer.untilIndexed(97, await testnet.head());

  test("there are no USD values", async () => {
    await indexed();
    await expectMarketAnswers(rest, testnet, []);
    const texts = await Promise.all(
      [`token/${elsewhere}`, "stats", `token/${elsewhere}/holders`].map(
        async (path) => (await rest.get(`/api/${path}?chainId=97`)).text,
      ),
    );
    for (const text of texts) expect(text).not.toMatch(/usd/i);
    const { body } = await rest.get("/api/stats?chainId=97");
    expect(body).toMatchObject({ tokens: 1, registeredTokens: 0, volumeBnb: "0.01", buys: 1 });
  });

  test("where a trade left no price, the previous price stands", async () => {
    const [, , late] = testnet.traders;
    await testnet.buy(late, elsewhere, 2n * milli);
    await testnet.testClient.increaseTime({ seconds: 4_000 });
    await testnet.buy(late, elsewhere, 3n * milli);
    await indexed();
    const changeIn1h = async () => {
      const { body } = await rest.get(`/api/token/${elsewhere}?chainId=97`);
      return body.windows["1h"].priceChangePercent;
    };
    const takePrices = (first: number) =>
      service.database.query(
        // Ponder's triggers would record each change for a reorg.
        `set session_replication_role = replica;
         update onchain.trade set token_reserves_raw = 0 where chain_id = 97 and buys_to_date between ${first} and 2;
         reset session_replication_role`,
      );
    // The BNB reserves rose from 0.1 over 0.11 or 0.112 to 0.115, and the price grows with their square.
    const bnb = (milliBnb: number) => (115 / milliBnb) ** 2 * 100 - 100;
    expect(await changeIn1h()).toBeCloseTo(bnb(112), 3);
    await takePrices(2);
    expect(await changeIn1h()).toBeCloseTo(bnb(110), 3);
    await takePrices(1);
    expect(await changeIn1h()).toBeCloseTo(bnb(100), 3);
  });

  test("the launchpad's daily totals have no USD values either", async () => {
    await indexed();
    await expectDays(rest, testnet, [2]);
  });
}
