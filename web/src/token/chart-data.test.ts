import { expect, test } from "vitest";
import { token as english } from "../language/catalogues/en.ts";
import { token as chinese } from "../language/catalogues/zh.ts";
import { firstRange, intervalLabel, labelled, movingAverage, toBars, toMarks } from "./chart-data.ts";
import type { Candle } from "./data.ts";

const candle = (time: number, close: string, usd?: string) =>
  ({
    time,
    openBnb: "1",
    highBnb: "3",
    lowBnb: "1",
    closeBnb: close,
    volumeBnb: "5",
    ...(usd === undefined
      ? {}
      : { openUsd: "600", highUsd: "1800", lowUsd: "600", closeUsd: usd, volumeUsd: "3000" }),
  }) as Candle;

test("market caps are prices times the supply, and volumes are not multiplied", () => {
  const [bar] = toBars([candle(60, "2")], { inUsd: false, factor: 1_000 });
  expect(bar).toEqual({ time: 60, open: 1_000, high: 3_000, low: 1_000, close: 2_000, volume: 5 });
});

test("in USD a candle without a rate is a gap, and without any rate all are in BNB", () => {
  const options = { inUsd: true, factor: 1 };
  expect(toBars([candle(0, "1"), candle(60, "2", "1200")], options)).toMatchObject([
    { time: 0 },
    { time: 60, close: 1_200, volume: 3_000 },
  ]);
  expect(toBars([candle(0, "1")], options)).toMatchObject([{ close: 1 }]);
});

test("a moving average begins once it has enough closing prices, and again after a gap", () => {
  const bars = [1, 3, 5, undefined, 7, 9].map((close, time) =>
    close === undefined ? { time } : { time, open: 0, high: 0, low: 0, close, volume: 0 },
  );
  expect(movingAverage(bars, 2)).toEqual([undefined, 2, 4, undefined, undefined, 8]);
});

test("a young token's candles begin at the left with room to grow, an old one's latest fill the chart", () => {
  expect(firstRange(3, 700)).toEqual({ from: -1, to: 44 });
  expect(firstRange(90, 700)).toEqual({ from: -1, to: 93 });
  expect(firstRange(500, 700)).toEqual({ from: 400, to: 503 });
});

test("trades of one candle, account and direction make one mark, and those before the first candle none", () => {
  const trade = (time: number, side: "buy" | "sell", who: "you" | "creator") => ({
    id: `${time}`,
    time,
    side,
    who,
    bnb: 1,
  });
  const trades = [
    trade(10, "buy", "you"),
    trade(61, "buy", "you"),
    trade(119, "buy", "you"),
    trade(119, "sell", "creator"),
    trade(500, "sell", "you"),
  ];
  expect(toMarks(trades, [{ time: 60 }, { time: 120 }])).toEqual([
    { time: 60, side: "buy", who: "you", bnb: 2, trades: 2 },
    { time: 60, side: "sell", who: "creator", bnb: 1, trades: 1 },
    { time: 120, side: "sell", who: "you", bnb: 1, trades: 1 },
  ]);
});

test("labels above and below the candles don't reach into the next one", () => {
  const marks = [
    { at: 1, side: "buy" },
    { at: 2, side: "sell" },
    { at: 3, side: "buy" },
    { at: 5, side: "buy" },
  ] as const;
  expect([...labelled(marks, 4)].map(({ at }) => at)).toEqual([1, 2, 5]);
});

test("intervals have the unit of each language", () => {
  const labels = (units: Record<string, string>) =>
    ["1m", "15m", "4h", "1d", "1w"].map((interval) => intervalLabel(interval, units));
  expect(labels(english.token.chart.units)).toEqual(["1m", "15m", "4h", "1d", "1w"]);
  expect(labels(chinese.token.chart.units)).toEqual(["1分", "15分", "4时", "1日", "1周"]);
});
