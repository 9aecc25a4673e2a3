import { expect, test } from "vitest";
import { statisticsOf } from "./table-statistics.query.ts";

const statistics = statisticsOf(
  [{ table: "trade", size: 1_000 }],
  [
    { table: "trade", column: "token", distinct: -0.1, values: ["hot", "warm"], shares: [0.3, 0.2] },
    { table: "trade", column: "id", distinct: -1, values: null, shares: null },
  ],
);

test("a common value has its own share, and without a value the most common one counts", () => {
  expect(statistics.share("trade", "token", "warm")).toBe(0.2);
  expect(statistics.share("trade", "token")).toBe(0.3);
  expect(statistics.commonShare("trade", "token", "warm")).toBe(0.2);
});

test("any other value counts as ten times as common as the average, but at most as common as the common ones", () => {
  // 98 values share one half.
  expect(statistics.share("trade", "token", "cold")).toBeCloseTo((10 * 0.5) / 98);
  expect(statistics.share("trade", "id", "1")).toBeCloseTo(10 / 1_000);
  expect(statistics.commonShare("trade", "token", "cold")).toBe(0);
});

test("nothing is known about a column that was never analyzed", () => {
  expect(statistics.share("trade", "venue", "dex")).toBeUndefined();
  expect(statistics.commonShare("trade", "venue", "dex")).toBe(0);
  expect(statistics.size("holder")).toBe(0);
});
