import { beforeAll, expect, test } from "vitest";
import {
  expectedDayCandles,
  expectedPositionTotals,
  expectedTradeGroups,
  expectedTradeSums,
} from "../../reference-market/expected-groups.ts";
import type { ExpectedMarket } from "../../reference-market/expected-market.ts";
import type { Service } from "../../service/service.ts";

type Served = { service: Service; expectedNow: () => Promise<ExpectedMarket> };

const runningSums = "trades buys sells volumeWei volumeUsdX18";
const allSums = `${runningSums} profitableSells traders tokens realisedWei realisedUsdX18`;
const daySeconds = 86_400;

/** GraphQL's sums by group, against the market that is rebuilt from the chain's logs. */
export function testGroups(served: () => Served): void {
  let service: Service;
  let expected: ExpectedMarket;
  /** The days that have all trades. */
  let days: string;
  let busiest: { token: string; trader: string };

  beforeAll(async () => {
    service = served().service;
    expected = await served().expectedNow();
    await service.indexer.untilIndexed(56, expected.head.number);
    const { trades } = expected.market;
    const dayOf = (timestamp = 0n) => new Date(Number(timestamp) * 1_000).toISOString().slice(0, 10);
    days = `from: "${dayOf(trades[0]?.timestamp)}", to: "${dayOf(trades.at(-1)?.timestamp)}"`;
    const most = (key: "token" | "trader") =>
      [...Map.groupBy(trades, (trade) => trade[key])].toSorted(
        ([, left], [, right]) => right.length - left.length,
      )[0]?.[0] ?? "";
    busiest = { token: most("token"), trader: most("trader") };
  });

  type Groups = { items: object[]; total: object; pageInfo: object };

  async function tradeGroups(rest: string, { keys = "", sums = allSums, where = "" } = {}): Promise<Groups> {
    const { tradeGroups: groups } = await service.indexer.graphql<{ tradeGroups: Groups }>(
      `{ tradeGroups(where: { chainId: 56 ${where} } ${rest}) {
        items { ${keys} ${sums} } total { ${sums} } pageInfo { hasNextPage hasPreviousPage } } }`,
    );
    return groups;
  }

  /** Picks the running sums of rows that have all of them. */
  const withoutOthers = (row: object) =>
    Object.fromEntries(
      Object.entries(row).filter(([name]) => ["day", ...runningSums.split(" ")].includes(name)),
    );

  test("days of all tokens and of one, with a few sums and with all", async () => {
    const { trades } = expected.market;
    for (const [where, filter] of [
      ["", () => true],
      [`token: "${busiest.token}"`, ({ token }) => token === busiest.token],
      // As wallets show it.
      [`token: "0x${busiest.token.slice(2).toUpperCase()}"`, ({ token }) => token === busiest.token],
    ] as [string, (trade: (typeof trades)[number]) => boolean][]) {
      const some = trades.filter(filter);
      const rows = expectedTradeGroups(expected, some, ["day"]);
      expect(rows.length).toBeGreaterThan(1);
      const pageInfo = { hasNextPage: false, hasPreviousPage: false };
      const total = expectedTradeSums(expected, some);
      expect(await tradeGroups(days, { keys: "day", where })).toEqual({ items: rows, total, pageInfo });
      expect(await tradeGroups(days, { keys: "day", where, sums: runningSums })).toEqual({
        items: rows.map(withoutOthers),
        total: withoutOthers(total),
        pageInfo,
      });
    }
    // Before the feed's first answer, trades had no rate.
    const volumes = expectedTradeGroups(expected, trades, ["day"]).map(({ volumeUsdX18 }) => volumeUsdX18);
    expect(volumes).toContain(null);
    expect(volumes.some((volume) => volume !== null)).toBe(true);
  });

  test("groups by other keys, of some trades, page by page", async () => {
    const { trades } = expected.market;
    const buys = trades.filter(({ isBuy, bnb }) => isBuy && bnb > 10n ** 13n);
    const where = `side: buy, bnbAmountWei_gt: "${10n ** 13n}"`;
    const all = expectedTradeGroups(expected, buys, ["day", "token", "venue"]);
    expect(all.length).toBeGreaterThan(20);
    const pages = [0, 15, 30].map(async (offset) => {
      const rest = `by: [day, token, venue], limit: 15, offset: ${offset}, ${days}`;
      return await tradeGroups(rest, { keys: "day token venue", where });
    });
    for (const [index, page] of (await Promise.all(pages)).entries()) {
      expect(page).toEqual({
        items: all.slice(15 * index, 15 * index + 15),
        total: expectedTradeSums(expected, buys),
        pageInfo: { hasNextPage: all.length > 15 * index + 15, hasPreviousPage: index > 0 },
      });
    }

    const own = trades.filter(({ trader }) => trader === busiest.trader);
    const { items } = await tradeGroups(`by: token, limit: 1000, ${days}`, {
      keys: "token",
      where: `trader_in: ["${busiest.trader}"]`,
    });
    expect(items).toEqual(expectedTradeGroups(expected, own, ["token"]));
  });

  test("the last thirty days by default, and none without trades", async () => {
    const today = Math.floor(Number(expected.head.timestamp) / daySeconds);
    const last = expected.market.trades.filter(
      ({ timestamp }) => Number(timestamp) >= (today - 29) * daySeconds,
    );
    const { items } = await tradeGroups("", { keys: "day" });
    expect(items).toEqual(expectedTradeGroups(expected, last, ["day"]));
    const none = {
      ...{ trades: 0, buys: 0, sells: 0, profitableSells: 0, traders: 0, tokens: 0 },
      ...{ volumeWei: "0", volumeUsdX18: "0", realisedWei: "0", realisedUsdX18: "0" },
    };
    for (const sums of [allSums, runningSums]) {
      const { items: empty, total } = await tradeGroups('from: "1999-01-01", to: "1999-12-31"', { sums });
      expect(empty).toEqual([]);
      expect(none).toMatchObject(total);
    }
  });

  test("candles of days", async () => {
    const rows = expectedDayCandles(expected.market.trades.filter(({ token }) => token === busiest.token));
    const { candlesByDay } = await service.indexer.graphql<{ candlesByDay: object[] }>(
      `{ candlesByDay(chainId: 56, token: "${busiest.token}", ${days}) {
        day trades openBnbX36 highBnbX36 lowBnbX36 closeBnbX36 volumeWei volumeRaw
        openUsdX36 highUsdX36 lowUsdX36 closeUsdX36 volumeUsdX18 } }`,
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(candlesByDay).toEqual(rows);
  });

  test("positions of a token, of an account, and of all", async () => {
    for (const [where, key, value] of [
      [`token: "${busiest.token}"`, "token", busiest.token],
      [`account: "${busiest.trader}"`, "account", busiest.trader],
      ["", undefined, undefined],
    ] as [string, "token" | "account" | undefined, string][]) {
      const some = expected.positions.filter((position) => key === undefined || position[key] === value);
      const { positionTotals } = await service.indexer.graphql<{ positionTotals: object }>(
        `{ positionTotals(where: { chainId: 56 ${where} }) {
          positions accounts tokens profitable losing buys sells bnbSpentWei bnbReceivedWei openCostWei realisedWei
          spentUsdX18 receivedUsdX18 openCostUsdX18 realisedUsdX18 } }`,
      );
      expect(positionTotals).toEqual(expectedPositionTotals(some));
    }
  });
}
