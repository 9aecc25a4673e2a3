import fc from "fast-check";
import { expect, test } from "vitest";
import { intervalSpec, intervals, openTimeOf } from "./intervals.ts";
import { candleRange, type RangeRequest } from "./load-candles.ts";

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
