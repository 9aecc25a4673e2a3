import { expect, test } from "vitest";
import { formatChange, formatCount, formatNumber, formatPercent, fromUnits, toUnits } from "./number.ts";

test.each([
  ["0", "0"],
  ["0.5", "0.5"],
  ["1234.5678", "1,235"],
  ["9999.96", "10K"],
  ["12345", "12.35K"],
  ["999999.9", "1M"],
  ["1234567", "1.235M"],
  ["2500000000", "2.5B"],
  ["0.0123456", "0.01235"],
  ["0.001", "0.001"],
  ["0.000171646", "0.0₃1716"],
  ["0.00000000017164602607", "0.0₉1716"],
  ["0.000000000000000000000000000001", "0.0₂₉1"],
  ["0.00099999", "0.001"],
  ["-0.25", "−0.25"],
  ["not a number", "–"],
])("%s is shown as %s", (value, shown) => {
  expect(formatNumber(value)).toBe(shown);
});

test("counts are exact up to six digits", () => {
  expect([formatCount(0), formatCount(123_456), formatCount(1_234_567)]).toEqual(["0", "123,456", "1.235M"]);
});

test("changes have a sign, and large ones are shown as a factor", () => {
  expect([0.04, 3.78, -12.345, 999, 1_900].map(formatChange)).toEqual([
    "0.0%",
    "+3.8%",
    "−12.3%",
    "+999.0%",
    "×20",
  ]);
});

test("a non-zero percentage never looks like zero", () => {
  expect([0, 0.01, 0.1, 47.84, 100].map((value) => formatPercent(value))).toEqual([
    "0%",
    "<0.1%",
    "0.1%",
    "47.8%",
    "100%",
  ]);
});

test.each([
  ["1", 10n ** 18n],
  ["0.000000000000000001", 1n],
  [".5", 5n * 10n ** 17n],
  ["1,000.", 1_000n * 10n ** 18n],
  ["", undefined],
  [".", undefined],
  ["1e5", undefined],
  ["-1", undefined],
  ["0.0000000000000000001", undefined],
])("%j is %s base units", (text, units) => {
  expect(toUnits(text)).toBe(units);
});

test("base units become exact decimals", () => {
  expect(["0", "1", "1500000000000000000", "100000000000000000000"].map((raw) => fromUnits(raw))).toEqual([
    "0",
    "0.000000000000000001",
    "1.5",
    "100",
  ]);
});
