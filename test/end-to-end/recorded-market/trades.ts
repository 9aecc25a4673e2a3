import { type Address, formatUnits } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { day, head } from "../../chain/recorded-market.ts";
import { candleIntervals } from "../../reference-market/expected-candles.ts";
import { exactPrice, inUsd, isoOf, parsePrice } from "../../reference-market/market-terms.ts";
import { sized } from "../../run/long-run.ts";
import { until } from "../../service/condition.ts";
import { retryUntilComplete } from "../../service/retry-until-complete.ts";
import type { ServedMarket } from "../../service/served-market.ts";

const unknown = `0x${"12".repeat(20)}`;

/** Compares candles and trades with the chain's own receipts. */
export function testTrades(served: () => ServedMarket): void {
  let market: ServedMarket["market"];
  let mainnet: ServedMarket["mainnet"];
  let service: ServedMarket["service"];
  let rest: ServedMarket["rest"];
  /** `token` was traded on curve and DEX, `idle` never; `elsewhere` is on the chain without a price feed. */
  let token: Address;
  let idle: Address;
  let elsewhere: Address;

  beforeAll(() => {
    ({ market, mainnet, service, rest, elsewhere } = served());
    ({ token, idle } = market);
  });

  const candlesOf = async (mint: string, query: string) => {
    const { status, body } = await rest.get(`/api/token/${mint}/candles?${query}`);
    expect(status).toBe(200);
    return body.candles;
  };

  describe("candles", () => {
    test("hourly candles, calculated by hand: gaps filled, one series over curve and DEX, in USD from the first rate on", async () => {
      const prices = market.made.map(({ reserves }) => exactPrice(reserves));
      const sum = (key: "bnb" | "tokens", ...indexes: number[]) =>
        formatUnits(
          indexes.reduce((total, index) => total + (market.made[index]?.[key] ?? 0n), 0n),
          18,
        );
      const candles = await candlesOf(token, "interval=1h");
      const opening = exactPrice([10n ** 17n, (600_000_000n * 10n ** 18n * 9n) / 5n]);
      expect(candles).toHaveLength(Math.floor(100_000 / 3_600) + 1);
      expect(candles[0]).toEqual({
        time: day,
        openTime: new Date(day * 1_000).toISOString(),
        trades: 3,
        openBnb: opening,
        lowBnb: opening,
        highBnb: prices[2],
        closeBnb: prices[2],
        volumeBnb: sum("bnb", 0, 1, 2),
        volumeTokens: sum("tokens", 0, 1, 2),
        openUsd: inUsd(prices[1], 600n),
        lowUsd: inUsd(prices[1], 600n),
        highUsd: inUsd(prices[2], 600n),
        closeUsd: inUsd(prices[2], 600n),
        volumeUsd: inUsd(sum("bnb", 2), 600n),
      });
      expect(candles[1]).toMatchObject({
        time: day + 3_600,
        trades: 1,
        openBnb: prices[2],
        highBnb: prices[2],
        lowBnb: prices[3],
        closeBnb: prices[3],
        closeUsd: inUsd(prices[3], 600n),
      });
      expect(candles[2]).toMatchObject({
        time: day + 7_200,
        trades: 2,
        openBnb: prices[3],
        lowBnb: prices[3],
        highBnb: prices[5],
        closeBnb: prices[5],
        // The price at the earlier rate, not converted at the new one.
        openUsd: inUsd(prices[3], 600n),
        closeUsd: inUsd(prices[5], 700n),
        volumeBnb: sum("bnb", 4, 5),
      });
      const flat = { openBnb: prices[5], highBnb: prices[5], lowBnb: prices[5], closeBnb: prices[5] };
      const flatUsd = Object.fromEntries(
        ["openUsd", "highUsd", "lowUsd", "closeUsd"].map((name) => [name, inUsd(prices[5], 700n)]),
      );
      for (const [index, candle] of candles.slice(3, 25).entries()) {
        const time = day + (3 + index) * 3_600;
        expect(candle).toEqual({
          time,
          openTime: new Date(time * 1_000).toISOString(),
          trades: 0,
          ...flat,
          ...flatUsd,
          volumeBnb: "0",
          volumeTokens: "0",
          volumeUsd: "0",
        });
      }
      expect(candles[25]).toMatchObject({
        trades: 1,
        openBnb: prices[5],
        lowBnb: prices[6],
        closeBnb: prices[6],
      });
      expect(candles.slice(26).map(({ trades }: { trades: number }) => trades)).toEqual(
        Array(candles.length - 26).fill(0),
      );
    });

    test.each(candleIntervals.filter((interval) => interval !== "1w"))(
      "%s candles add up to the trades",
      async (interval) => {
        const candles = await candlesOf(token, `interval=${interval}&from=${day}&limit=1500`);
        const inReach = market.made.filter(
          ({ at }) => at < candles.at(-1).time + candles[1].time - candles[0].time,
        );
        const total = candles.reduce((sum: number, { trades }: { trades: number }) => sum + trades, 0);
        expect(total).toBe(inReach.length);
        for (const [index, candle] of candles.entries()) {
          expect(candle.openBnb).toBe(index === 0 ? candle.lowBnb : candles[index - 1].closeBnb);
        }
        expect(candles[0].time).toBe(day);
      },
    );

    test("weeks begin on Monday", async () => {
      const weeks = await candlesOf(token, "interval=1w");
      const total = weeks.reduce((sum: number, { trades }: { trades: number }) => sum + trades, 0);
      expect(total).toBe(market.made.length);
      expect(weeks[0].time).toBeLessThanOrEqual(day);
      for (const { openTime } of weeks) expect(openTime).toMatch(/T00:00:00/);
      expect(new Set(weeks.map(({ time }: { time: number }) => new Date(time * 1_000).getUTCDay()))).toEqual(
        new Set([1]),
      );
    });

    test("there is no price in USD before the feed's first answer", async () => {
      const candles = await candlesOf(token, `interval=1m&from=${day}&to=${day + 659}`);
      expect(candles).toHaveLength(11);
      for (const candle of candles.slice(0, 10)) expect(candle).not.toHaveProperty("closeUsd");
      expect(candles[10].closeUsd).toMatch(/^0\.\d+$/);
      expect(candles[10].openUsd).toBe(
        inUsd(exactPrice([market.made[1]?.reserves[0] ?? 0n, market.made[1]?.reserves[1] ?? 1n]), 600n),
      );
      const [created] = await candlesOf(elsewhere, "interval=1d&chainId=97");
      expect(created).not.toHaveProperty("openUsd");
      expect(created).not.toHaveProperty("volumeUsd");
    });

    test("a token without trades stays at its opening price from its creation to the last block", async () => {
      const candles = await candlesOf(idle, "interval=4h&from=1970-01-01");
      expect(candles).toHaveLength(Math.floor(100_000 / 14_400) + 1);
      const opening = exactPrice([10n ** 17n, (500_000_000n * 10n ** 18n * 9n) / 5n]);
      for (const candle of candles) {
        expect(candle).toMatchObject({ trades: 0, volumeBnb: "0", openBnb: opening, closeBnb: opening });
      }
    });

    test.each([
      ["the last ones up to the last block", "", head - 60 * 499, head, 500],
      ["the last ones", "limit=2", head - 60, head, 2],
      ["the last ones up to `to`", `limit=3&to=${day + 600}`, day + 480, day + 600, 3],
      ["the first ones from `from`", `limit=3&from=${day + 600}`, day + 600, day + 720, 3],
      [
        "the first ones of a range that is too long",
        `limit=3&from=${day}&to=${head}`,
        ...([day, day + 120] as const),
        3,
      ],
      ["the candles that contain both ends", `from=${day + 119}&to=${day + 181}`, day + 60, day + 180, 3],
      ["the candle that contains a moment", `from=${day + 119}&to=${day + 119}`, day + 60, day + 60, 1],
      ["from long before creation", `from=0&limit=2`, day, day + 60, 2],
      ["to long after the last block", `to=253402300799&limit=2`, head - 60, head, 2],
      ["as ISO 8601", `from=${isoOf(day + 60)}&to=${isoOf(day + 120)}`, day + 60, day + 120, 2],
      [
        "in another time zone, with an unencoded plus sign",
        `from=${isoOf(day + 3_600).replace("Z", "+01:00")}&limit=1`,
        ...([day, day] as const),
        1,
      ],
      ["as a date", `from=${isoOf(day).slice(0, 10)}&limit=1`, day, day, 1],
    ])("a range of candles: %s", async (_, query, first, last, count) => {
      const candles = await candlesOf(token, `interval=1m&${query}`);
      expect([candles.length, candles[0].time, candles.at(-1).time]).toEqual([
        count,
        first - (first % 60),
        last - (last % 60),
      ]);
    });

    test.each([
      "to=0",
      `to=${day - 1}`,
      `from=${head + 60}`,
      "from=9999-12-31T23:59:59Z",
      "from=1900-01-01&to=1969-12-31",
    ])("%s: no candles", async (query) => {
      expect(await candlesOf(token, query)).toEqual([]);
    });

    test.each([
      ["interval=2m", "interval"],
      ["limit=0", "limit"],
      ["limit=1501", "limit"],
      ["from=2&to=1", "from"],
      ["from=yesterday", "from"],
      ["to=2026-02-30", "to"],
      ["to=", "to"],
      ["from=-1", "from"],
      [`from=${day}000`, "from"],
    ])("%s: 400", async (query, name) => {
      const { status, body } = await rest.get(`/api/token/${token}/candles?${query}`);
      expect([status, body.code, body.errors[0].path]).toEqual([400, "invalid_request", name]);
    });
  });

  describe("trades", () => {
    test("a token's trades match the chain, newest first, with the reserves after each", async () => {
      const { body } = await rest.get(`/api/token/${token}/trades`);
      expect(body).toMatchObject({ mint: token.toLowerCase(), chainId: 56, nextCursor: null });
      expect(body.trades).toEqual(
        market.made.toReversed().map((trade, index) => ({
          id: expect.stringMatching(/^56-\d{12}-\d{6}$/),
          mint: token.toLowerCase(),
          chainId: 56,
          trader: trade.trader.toLowerCase(),
          venue: index < 2 ? "dex" : "curve",
          side: trade.side,
          bnbAmountWei: String(trade.bnb),
          tokenAmountRaw: String(trade.tokens),
          priceBnb: exactPrice([trade.bnb, trade.tokens]),
          priceAfterBnb: exactPrice(trade.reserves),
          bnbReservesWei: String(trade.reserves[0]),
          tokenReservesRaw: String(trade.reserves[1]),
          block: expect.any(Number),
          timestamp: isoOf(trade.at),
          tx: expect.any(String),
          logIndex: expect.any(Number),
          ...(trade.rate === undefined
            ? {}
            : {
                amountUsd: formatUnits(trade.bnb * trade.rate, 18),
                priceUsd: inUsd(exactPrice([trade.bnb, trade.tokens]), trade.rate),
                priceAfterUsd: inUsd(exactPrice(trade.reserves), trade.rate),
                bnbUsd: String(trade.rate),
              }),
        })),
      );
      const ids = body.trades.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(ids.toSorted().reverse());
    });

    test("trades of all tokens and of one trader come with the token's name", async () => {
      const [creator] = mainnet.traders;
      const all = (await rest.get("/api/trades")).body.trades;
      const ofToken = (await rest.get(`/api/token/${token}/trades`)).body.trades;
      expect(all).toEqual(ofToken.map((trade: object) => ({ ...trade, name: "Charted", symbol: "CHART" })));
      const { body } = await rest.get(`/api/trades?trader=${creator}`);
      expect(body.trades).toEqual(
        all.filter(({ trader }: { trader: string }) => trader === creator.toLowerCase()),
      );
      expect(body.trades).toHaveLength(4);
      expect((await rest.get(`/api/trades?trader=${unknown}`)).body).toEqual({
        chainId: 56,
        trades: [],
        nextCursor: null,
      });
      // By token, and by token and trader, on one page and one by one.
      const [other] = all.filter((trade: { trader: string }) => trade.trader !== creator.toLowerCase());
      const of = (mint: string, trader?: string) =>
        all.filter(
          (made: { mint: string; trader: string }) =>
            made.mint === mint && (trader ?? made.trader) === made.trader,
        );
      for (const trader of [undefined, creator.toLowerCase(), other.trader]) {
        const filter = `mint=${token}${trader === undefined ? "" : `&trader=${trader}`}`;
        const expected = of(token.toLowerCase(), trader);
        expect(expected.length).toBeGreaterThan(0);
        expect((await rest.get(`/api/trades?${filter}`)).body.trades).toEqual(expected);
        let cursor = null;
        for (const trade of expected) {
          const { body } = await rest.get(
            `/api/trades?${filter}&limit=1${cursor === null ? "" : `&cursor=${cursor}`}`,
          );
          expect(body.trades).toEqual([trade]);
          cursor = body.nextCursor;
        }
        expect(cursor).toBeNull();
      }
      for (const filter of [
        `mint=${idle}`,
        `mint=${idle}&trader=${creator}`,
        `mint=${token}&trader=${unknown}`,
      ]) {
        expect((await rest.get(`/api/trades?${filter}`)).body.trades).toEqual([]);
      }
      expect((await rest.get("/api/trades?chainId=97")).body.trades).toMatchObject([{ name: "Elsewhere" }]);
    });

    test("a token without trades has none", async () => {
      const { status, body } = await rest.get(`/api/token/${idle}/trades`);
      expect([status, body.trades, body.nextCursor]).toEqual([200, [], null]);
    });

    test("pages neither repeat nor skip a trade while new ones come in", async () => {
      const [one, other, ...more] = mainnet.traders.slice(3) as [Address, Address, ...Address[]];
      // Several in one block, and so with the same timestamp.
      await mainnet.testClient.setAutomine(false);
      const buys: Promise<unknown>[] = [];
      for (const from of [one, one, one, one, other, other, other, ...more]) {
        buys.push(mainnet.buyOnDex(from, token, 10n ** 12n));
        // One after the other: two sent at once from one account may get the same nonce.
        await until("the transaction to wait", async () => {
          const { pending } = await mainnet.testClient.getTxpoolStatus();
          return pending === buys.length;
        });
      }
      await mainnet.testClient.mine({ blocks: 1 });
      await Promise.all(buys);
      await mainnet.testClient.setAutomine(true);
      await service.indexer.untilIndexed(56, await mainnet.head());

      const idsOf = ({ body }: { body: { trades: { id: string }[] } }) => body.trades.map(({ id }) => id);
      const lists = [`token/${token}/trades?`, "trades?", `trades?trader=${one}&`, `trades?trader=${other}&`];
      for (const list of lists.slice(0, sized({ usual: 2, long: 4 }))) {
        const whole = idsOf(await rest.get(`/api/${list}limit=100`));
        const paged: string[] = [];
        let cursor: string | null = null;
        do {
          const page = await rest.get(`/api/${list}limit=4${cursor === null ? "" : `&cursor=${cursor}`}`);
          paged.push(...idsOf(page));
          cursor = page.body.nextCursor;
          for (const from of [one, other]) await mainnet.buyOnDex(from, token, 10n ** 12n);
          await service.indexer.untilIndexed(56, await mainnet.head());
        } while (cursor !== null);
        expect(paged).toEqual(whole);
        expect(idsOf(await rest.get(`/api/${list}limit=1`))).not.toEqual(whole.slice(0, 1));
      }
    });

    test.each([
      "cursor=",
      "cursor=x",
      "cursor=1",
      "cursor=trades.1.2",
      "cursor=trades.99999999999999999999.000000000001-000001",
      "cursor=trades.-1.000000000001-000001",
      "limit=0",
      "limit=101",
      "trader=0x12",
    ])("%s: 400", async (query) => {
      for (const path of ["/api/trades", `/api/token/${token}/trades`]) {
        if (query.startsWith("trader") && path !== "/api/trades") continue;
        const { status, body } = await rest.get(`${path}?${query}`);
        expect([status, body.code]).toEqual([400, "invalid_request"]);
        expect(body.errors[0].path).toBe(query.split("=")[0]);
      }
    });
  });

  test.each(["candles", "trades"])("%s of an unknown token: 404", async (kind) => {
    const { status, body } = await rest.get(`/api/token/${unknown}/${kind}`);
    expect([status, body.code]).toEqual([404, "token_not_found"]);
    expect((await rest.get(`/api/token/${idle}/${kind}?chainId=97`)).status).toBe(404);
  });

  test("a repeated request is answered with 304 until something changes", async () => {
    const [, buyer] = mainnet.traders;
    const paths = [
      `/api/token/${token}/candles`,
      `/api/token/${token}/trades`,
      "/api/trades",
      `/api/account/${buyer}`,
    ];
    const etags: string[] = [];
    for (const path of paths) {
      // An account's balance comes from the chain, which may answer too late on a busy machine.
      const etag = await until("the same answer", async () => {
        const known = (await rest.get(path)).headers.get("etag") ?? "";
        return (await rest.get(path, { "if-none-match": known })).status === 304 && known;
      });
      etags.push(etag);
    }
    await mainnet.buyOnDex(buyer, token, 10n ** 14n);
    await service.indexer.untilIndexed(56, await mainnet.head());
    for (const [index, path] of paths.entries()) {
      expect((await rest.get(path, { "if-none-match": etags[index] ?? "" })).status).toBe(200);
    }
  });

  test("a reorg removes its trades from candles, trades and accounts", async () => {
    const [, buyer] = mainnet.traders;
    const paths = [`/api/token/${token}/candles?limit=3`, "/api/trades", `/api/account/${buyer}`];
    const answers = () =>
      Promise.all(paths.map(async (path) => (await retryUntilComplete(() => rest.get(path))).text));
    const before = await answers();
    const snapshot = await mainnet.testClient.snapshot();
    await mainnet.buyOnDex(buyer, token, 10n ** 16n);
    await service.indexer.untilIndexed(56, await mainnet.head());
    expect(await answers()).not.toEqual(before);
    await mainnet.testClient.revert({ id: snapshot });
    await mainnet.testClient.mine({ blocks: 3 });
    await service.indexer.untilIndexed(56, await mainnet.head());
    await until(
      "what was there before",
      async () => JSON.stringify(await answers()) === JSON.stringify(before),
    );
  });

  test("GraphQL returns the same data in one cheap query", async () => {
    type Items = { items: unknown[] };
    const { token: found } = await service.indexer.graphql<{ token: { candles: Items; positions: Items } }>(
      `query ($mint: String!) {
        token(chainId: 56, address: $mint) {
          candles(where: { interval: "1h" }, orderBy: "openTime", orderDirection: "asc", limit: 3) {
            items { openTime trades closeBnbX36 volumeWei }
          }
          positions(orderBy: "lastTradeAt", orderDirection: "asc", limit: 1) {
            items { account buys openTokensRaw openCostWei traderAccount { tokensCreated } }
          }
        }
      }`,
      { mint: token },
    );
    const candles = await candlesOf(token, `interval=1h&from=${day}&limit=3`);
    expect(found.candles.items).toEqual(
      candles.map((candle: { time: number; trades: number; closeBnb: string; volumeBnb: string }) => ({
        openTime: String(candle.time),
        trades: candle.trades,
        closeBnbX36: String(parsePrice(candle.closeBnb)),
        volumeWei: String(parsePrice(candle.volumeBnb) / 10n ** 18n),
      })),
    );
    const [creator] = mainnet.traders;
    const [position] = (await rest.get(`/api/account/${creator}/positions`)).body.positions;
    const { buys, openTokensRaw, openCostWei } = position;
    expect(found.positions.items).toEqual([
      {
        account: creator.toLowerCase(),
        buys,
        openTokensRaw,
        openCostWei,
        traderAccount: { tokensCreated: 2 },
      },
    ]);
  });
}
