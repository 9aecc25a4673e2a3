import fc from "fast-check";
import { expect, test } from "vitest";
import { intervalSeconds, intervals, openTimeOf } from "./intervals.ts";

test("are those that charts offer, in seconds", () => {
  expect(intervals).toEqual(["1m", "5m", "15m", "1h", "4h", "1d"]);
  expect(Object.values(intervalSeconds)).toEqual([60n, 300n, 900n, 3_600n, 14_400n, 86_400n]);
});

test("a candle opens at the last multiple of its length", () => {
  const noon = BigInt(Date.parse("2026-03-01T12:34:56Z") / 1_000);
  const openTimes = intervals.map((interval) =>
    new Date(Number(openTimeOf(interval, noon)) * 1_000).toISOString().slice(11, 16),
  );
  expect(openTimes).toEqual(["12:34", "12:30", "12:30", "12:00", "12:00", "00:00"]);
});

test("every moment is in exactly one candle, and a longer one begins where a shorter one does", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 63n - 1n), fc.constantFrom(...intervals), (timestamp, interval) => {
      const seconds = intervalSeconds[interval];
      const openTime = openTimeOf(interval, timestamp);
      expect(openTime % seconds).toBe(0n);
      expect(openTime <= timestamp && timestamp < openTime + seconds).toBe(true);
      expect(openTimeOf("1m", openTime)).toBe(openTime);
      expect(openTimeOf(interval, openTimeOf("1m", timestamp))).toBe(openTime);
    }),
  );
});
