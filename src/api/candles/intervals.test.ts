import fc from "fast-check";
import { expect, test } from "vitest";
import { candleIntervals } from "../../../test/reference-market/expected-candles.ts";
import { storedOpenTime, storedSeconds } from "../../domain/intervals.ts";
import { intervalSpec, intervals, openTimeOf } from "./intervals.ts";

test("intervals have the lengths that charts offer, in seconds", () => {
  expect(intervals.map((interval) => [interval, intervalSpec(interval).seconds])).toEqual([
    ["1m", 60n],
    ["5m", 300n],
    ["15m", 900n],
    ["30m", 1_800n],
    ["1h", 3_600n],
    ["4h", 14_400n],
    ["1d", 86_400n],
    ["1w", 604_800n],
  ]);
});

test("the reference implementation has the same intervals", () => {
  expect(candleIntervals).toEqual(intervals);
});

test("a candle opens at the last multiple of its length, and a week on Monday", () => {
  const sunday = BigInt(Date.parse("2026-03-01T12:34:56Z") / 1_000);
  const openTimes = intervals.map((interval) =>
    new Date(Number(openTimeOf(interval, sunday)) * 1_000).toISOString().slice(5, 16),
  );
  expect(openTimes).toEqual([
    "03-01T12:34",
    "03-01T12:30",
    "03-01T12:30",
    "03-01T12:30",
    "03-01T12:00",
    "03-01T12:00",
    "03-01T00:00",
    "02-23T00:00",
  ]);
});

test("every moment lies in exactly one candle, together with the stored candle that contains it", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 63n - 1n), fc.constantFrom(...intervals), (timestamp, interval) => {
      const { seconds, storedInterval } = intervalSpec(interval);
      const openTime = openTimeOf(interval, timestamp);
      expect(openTime <= timestamp && timestamp < openTime + seconds).toBe(true);
      expect(openTimeOf(interval, openTime + seconds)).toBe(openTime + seconds);
      const stored = storedOpenTime(storedInterval, timestamp);
      expect(stored >= openTime && stored + storedSeconds[storedInterval] <= openTime + seconds).toBe(true);
    }),
  );
});
