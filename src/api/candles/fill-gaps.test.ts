import fc from "fast-check";
import { expect, test } from "vitest";
import type { CandleRow } from "./candles.query.ts";
import { fillGaps } from "./candles.routes.ts";
import { intervalSpec, intervals } from "./intervals.ts";

function traded(openTime: bigint, close: string, closeUsd: string | null = null): CandleRow {
  return {
    open_time: String(openTime),
    open_bnb_x36: "1",
    high_bnb_x36: "9",
    low_bnb_x36: "1",
    close_bnb_x36: close,
    volume_wei: "5",
    volume_raw: "7",
    trades: 2,
    open_usd_x36: closeUsd,
    high_usd_x36: closeUsd,
    low_usd_x36: closeUsd,
    close_usd_x36: closeUsd,
    volume_usd_x18: closeUsd,
  };
}

const opening = { close_bnb_x36: "3", close_usd_x36: null };
const summary = (candles: CandleRow[]) =>
  candles.map((row) => [
    Number(row.open_time),
    row.trades,
    row.open_bnb_x36,
    row.close_bnb_x36,
    row.close_usd_x36,
  ]);

test("an interval without trades is flat at the last close, in USD too", () => {
  const rows = [traded(120n, "4"), traded(240n, "6", "60")];
  expect(summary(fillGaps(rows, { first: 60n, last: 360n }, "1m", opening))).toEqual([
    [60, 0, "3", "3", null],
    [120, 2, "1", "4", null],
    [180, 0, "4", "4", null],
    [240, 2, "1", "6", "60"],
    [300, 0, "6", "6", "60"],
    [360, 0, "6", "6", "60"],
  ]);
});

test("a filled candle has no volume and a single price", () => {
  const [filled] = fillGaps([traded(0n, "4", "40")], { first: 60n, last: 60n }, "1m", undefined);
  expect(filled).toEqual({
    open_time: "60",
    open_bnb_x36: "4",
    high_bnb_x36: "4",
    low_bnb_x36: "4",
    close_bnb_x36: "4",
    open_usd_x36: "40",
    high_usd_x36: "40",
    low_usd_x36: "40",
    close_usd_x36: "40",
    volume_wei: "0",
    volume_raw: "0",
    volume_usd_x18: "0",
    trades: 0,
  });
});

test("the candle before the range provides the close, and is not returned", () => {
  expect(summary(fillGaps([traded(60n, "8")], { first: 600n, last: 660n }, "1m", opening))).toEqual([
    [600, 0, "8", "8", null],
    [660, 0, "8", "8", null],
  ]);
});

test("there is no candle before any price is known", () => {
  expect(summary(fillGaps([traded(120n, "4")], { first: 0n, last: 180n }, "1m", undefined))).toEqual([
    [120, 2, "1", "4", null],
    [180, 0, "4", "4", null],
  ]);
});

test("any range has one candle for each interval, and flat ones are at the previous close", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...intervals),
      fc.oneof(fc.bigInt(0n, 10n ** 10n), fc.bigInt(0n, 2n ** 63n)),
      fc.integer({ min: 1, max: 60 }),
      fc.uniqueArray(fc.integer({ min: -20, max: 60 })),
      (interval, near, count, places) => {
        const { seconds } = intervalSpec(interval);
        const first = (near / seconds + 100n) * seconds;
        const last = first + BigInt(count - 1) * seconds;
        const rows = places
          .filter((place) => place < count)
          .sort((left, right) => left - right)
          .map((place) => traded(first + BigInt(place) * seconds, String(1_000 + place)));
        const filled = fillGaps(rows, { first, last }, interval, opening);
        expect(filled.map(({ open_time }) => open_time)).toEqual(
          Array.from({ length: count }, (_, index) => String(first + BigInt(index) * seconds)),
        );
        for (const row of filled) {
          const known = rows.filter(({ open_time }) => BigInt(open_time) <= BigInt(row.open_time));
          const latest = known.at(-1);
          if (latest?.open_time === row.open_time) expect(row).toBe(latest);
          else {
            const close = latest?.close_bnb_x36 ?? opening.close_bnb_x36;
            expect([
              row.trades,
              row.open_bnb_x36,
              row.high_bnb_x36,
              row.low_bnb_x36,
              row.close_bnb_x36,
            ]).toEqual([0, ...Array(4).fill(close)]);
          }
        }
      },
    ),
  );
});
