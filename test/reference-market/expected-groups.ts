import { expectedCandles } from "./expected-candles.ts";
import type { ExpectedMarket } from "./expected-market.ts";
import type { ExpectedPosition } from "./expected-positions.ts";
import { groupBy, sum } from "./groups.ts";
import type { ObservedTrade } from "./observed-trades.ts";

/* What GraphQL sums by group, in its form. */

type Market = Pick<ExpectedMarket, "tradeResults">;

const isoDay = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString().slice(0, 10);

const keysOf = (trade: ObservedTrade) => ({
  day: isoDay(trade.timestamp),
  token: trade.token,
  trader: trade.trader,
  venue: trade.venue,
  side: trade.isBuy ? "buy" : "sell",
});

type Key = keyof ReturnType<typeof keysOf>;

/** Groups trades: the newest day first, then the largest volume, then in the order of the other keys. */
export function expectedTradeGroups({ tradeResults }: Market, trades: ObservedTrade[], by: Key[]) {
  const keyOf = (trade: ObservedTrade, keys: Key[]) => keys.map((key) => keysOf(trade)[key]).join();
  const others = by.filter((key) => key !== "day");
  return groupBy(trades, (trade) => keyOf(trade, by))
    .map((group) => ({
      day: by.includes("day") ? keysOf(group[0]).day : "",
      volume: sum(group.map(({ bnb }) => bnb)),
      rest: keyOf(group[0], others),
      row: {
        ...Object.fromEntries(by.map((key) => [key, keysOf(group[0])[key]])),
        ...expectedTradeSums({ tradeResults }, group),
      },
    }))
    .toSorted((left, right) => {
      if (left.day !== right.day) return left.day > right.day ? -1 : 1;
      if (left.volume !== right.volume) return left.volume > right.volume ? -1 : 1;
      return left.rest < right.rest ? -1 : 1;
    })
    .map(({ row }) => row);
}

export function expectedTradeSums({ tradeResults }: Market, trades: ObservedTrade[]) {
  const sells = trades.filter(({ isBuy }) => !isBuy);
  const results = sells.flatMap(({ id }) => tradeResults.get(id) ?? []);
  return {
    trades: trades.length,
    buys: trades.length - sells.length,
    sells: sells.length,
    profitableSells: results.filter(({ realised }) => (realised ?? 0n) > 0n).length,
    traders: new Set(trades.map(({ trader }) => trader)).size,
    tokens: new Set(trades.map(({ token }) => token)).size,
    volumeWei: String(sum(trades.map(({ bnb }) => bnb))),
    volumeUsdX18: sumOfKnown(trades.map(({ volumeUsd }) => volumeUsd)),
    realisedWei: String(sum(results.map(({ realised }) => realised ?? 0n))),
    realisedUsdX18: sumOfKnown(results.map(({ realisedUsd }) => realisedUsd)),
  };
}

/** Null if a value is missing. */
function sumOfKnown(values: (bigint | null | undefined)[]): string | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : String(sum(known));
}

export function expectedDayCandles(trades: ObservedTrade[]) {
  return expectedCandles(trades, ["1d"])
    .toReversed()
    .map((candle) => ({
      day: isoDay(candle.open_time as bigint),
      trades: candle.trades,
      ...Object.fromEntries(
        Object.entries(candle).flatMap(([name, value]) =>
          /_(x36|x18|wei|raw)$/.test(name)
            ? [[toFieldName(name), value === null ? null : String(value)]]
            : [],
        ),
      ),
    }));
}

const toFieldName = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export function expectedPositionTotals(positions: ExpectedPosition[]) {
  const trades = positions.flatMap((position) => position.trades);
  const total = (value: (position: ExpectedPosition) => bigint) => String(sum(positions.map(value)));
  return {
    positions: positions.length,
    accounts: new Set(positions.map(({ account }) => account)).size,
    tokens: new Set(positions.map(({ token }) => token)).size,
    profitable: positions.filter(({ realised }) => realised > 0n).length,
    losing: positions.filter(({ realised }) => realised < 0n).length,
    buys: trades.filter(({ isBuy }) => isBuy).length,
    sells: trades.filter(({ isBuy }) => !isBuy).length,
    bnbSpentWei: total(({ spent }) => spent),
    bnbReceivedWei: total(({ received }) => received),
    openCostWei: total(({ openCost }) => openCost),
    realisedWei: total(({ realised }) => realised),
    spentUsdX18: sumOfKnown(positions.map(({ usd }) => usd?.spent)),
    receivedUsdX18: sumOfKnown(positions.map(({ usd }) => usd?.received)),
    openCostUsdX18: sumOfKnown(positions.map(({ usd }) => usd?.openCost)),
    realisedUsdX18: sumOfKnown(positions.map(({ usd }) => usd?.realised)),
  };
}
