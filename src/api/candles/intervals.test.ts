import fc from "fast-check";
import { expect, test } from "vitest";
import { candleIntervals } from "../../../test/reference-market/expected-candles.ts";
import { storedOpenTime, storedSeconds } from "../../domain/intervals.ts";
import { candleRange, intervalSpec, intervals, openTimeOf, type RangeRequest } from "./intervals.ts";

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

const hour = 3_600n;
const request = (changes: Partial<RangeRequest> = {}) =>
  candleRange({
    interval: "1h",
    begin: 10n * hour + 5n,
    end: 20n * hour + 7n,
    from: undefined,
    to: undefined,
    limit: 500,
    ...changes,
  });

test("returns all candles if there are fewer than the limit", () => {
  expect(request()).toEqual({ first: 10n * hour, last: 20n * hour });
});

test("returns the last ones up to the end or to `to` if `from` is not given", () => {
  expect(request({ limit: 3 })).toEqual({ first: 18n * hour, last: 20n * hour });
  expect(request({ limit: 3, to: 15n * hour - 1n })).toEqual({ first: 12n * hour, last: 14n * hour });
});

test("returns the first ones if `from` is given", () => {
  expect(request({ limit: 3, from: 12n * hour + 1n })).toEqual({ first: 12n * hour, last: 14n * hour });
  expect(request({ limit: 3, from: -5n })).toEqual({ first: 10n * hour, last: 12n * hour });
});

test.each([
  ["before the token", { to: 10n * hour - 1n }],
  ["after the last block", { from: 21n * hour }],
  ["reversed", { from: 15n * hour, to: 14n * hour }],
])("returns none if the range is %s", (_, changes) => expect(request(changes)).toBeUndefined());

/** Realistic times, and ones that no honest chain has. */
const time = fc.oneof(
  fc.bigInt(0n, 3_000_000_000n),
  fc.bigInt(2n ** 63n - 200_000n, 2n ** 63n - 1n),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
);

test("returns at most the limit, and otherwise exactly the candles that cover `from` to `to`", () => {
  fc.assert(
    fc.property(
      fc.record({
        interval: fc.constantFrom(...intervals),
        begin: fc.oneof(fc.bigInt(0n, 3_000_000_000n), fc.bigInt(0n, 2n ** 63n - 1n)),
        end: fc.oneof(fc.bigInt(0n, 3_000_000_000n), fc.bigInt(0n, 2n ** 63n - 1n)),
        from: fc.option(time, { nil: undefined }),
        to: fc.option(time, { nil: undefined }),
        limit: fc.integer({ min: 1, max: 1_500 }),
      }),
      (request) => {
        const { interval, begin, end, from, to, limit } = request;
        const { seconds } = intervalSpec(interval);
        const latest = to !== undefined && to < end ? to : end;
        const earliest = from !== undefined && from > begin ? from : begin;
        const range = candleRange(request);
        if (range === undefined) {
          expect(openTimeOf(interval, earliest) > openTimeOf(interval, latest)).toBe(true);
          return;
        }
        const { first, last } = range;
        const count = (last - first) / seconds + 1n;
        expect((last - first) % seconds).toBe(0n);
        expect(openTimeOf(interval, first)).toBe(first);
        expect(count >= 1n && count <= BigInt(limit)).toBe(true);
        const isWhole = count < BigInt(limit);
        if (isWhole || from !== undefined) expect(first).toBe(openTimeOf(interval, earliest));
        if (isWhole || from === undefined) expect(last).toBe(openTimeOf(interval, latest));
      },
    ),
    { numRuns: 1_000 },
  );
});
