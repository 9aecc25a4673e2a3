import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { readTexts } from "../language/messages.ts";
import {
  formatChange,
  formatCount,
  formatDown,
  formatNumber,
  formatPercent,
  fromUnits,
  parseAmount,
} from "./number.ts";

beforeAll(() => readTexts(["core"]));

test.each([
  ["0", "0"],
  ["0.5", "0.5"],
  ["1234.5678", "1235"],
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
  expect([formatCount(0), formatCount(123_456), formatCount(1_234_567)]).toEqual([
    "0",
    "123\u202f456",
    "1.235M",
  ]);
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

test("a non-zero percentage never looks like zero, nor one below 100 like all", () => {
  expect([0, 0.01, 0.1, 47.84, 99.94, 99.95, 99.9999, 100].map((value) => formatPercent(value))).toEqual([
    "0%",
    "<0.1%",
    "0.1%",
    "47.8%",
    "99.9%",
    "99.9%",
    "99.9%",
    "100%",
  ]);
  expect([formatPercent(99.6, 0), formatPercent(99.996, 2), formatPercent(100.01)]).toEqual([
    "99%",
    "99.99%",
    "100%",
  ]);
});

const one = 10n ** 18n;

test.each([
  ["1", one],
  ["0.000000000000000001", 1n],
  ["0.01", one / 100n],
  ["0,01", one / 100n],
  // A comma is the decimal separator, whatever number of digits follows it.
  ["1,234", (1_234n * one) / 1_000n],
  ["1.234", (1_234n * one) / 1_000n],
  [".5", one / 2n],
  [",5", one / 2n],
  // What is there while somebody types 5.1.
  ["5.", 5n * one],
  ["5,", 5n * one],
  ["007", 7n * one],
  [" 0,5\u00a0\n", one / 2n],
])("%j is %s base units", (text, units) => {
  expect(parseAmount(text)).toEqual({ units });
});

test.each([
  [
    "two separators",
    ["1,234.5", "1.234,5", "1.234.567", "1,234,567", "1..5", ",.", "1,,"],
    /one comma or point/,
  ],
  ["no digits", [".", ",", "-", "BNB"], /such as 0.01/],
  [
    "signs and exponents",
    ["-1", "+1", "\u22121", "1e5", "1E-5", "0x10", "1_000", "1/2", "50%"],
    /such as 0.01/,
  ],
  ["spaces inside", ["1 000", "1\u00a0000", "1\u202f000", "1\u2009000,5", "0. 5"], /without spaces/],
  ["other separators", ["1'000", "1\u2019000", "1\u066b5", "1\uff0e5", "1\u00b75"], /such as 0.01/],
  [
    "digits of other scripts",
    ["\u0661\u0662", "\uff11\uff12", "\u0967", "0.\u00bd", "0.0\u20831716"],
    /from 0 to 9/,
  ],
  ["units", ["0.01 BNB", "0.01BNB", "$5", "12.35K", "Infinity", "NaN"], /a unit/],
  ["invisible characters", ["1\u200b5", "\u202e10", "1\u00005"], /such as 0.01/],
  ["too many decimals", ["0.0000000000000000001", `0,${"1".repeat(10_000)}`], /18 decimals/],
  ["huge numbers", ["1".repeat(41), "9".repeat(100_000)], /too large/],
])("%s are refused with a reason", (_, texts, reason) => {
  for (const text of texts) {
    expect(parseAmount(text)).toEqual({ problem: expect.stringMatching(reason) });
  }
});

test("an empty field is neither an amount nor a problem", () => {
  expect([parseAmount(""), parseAmount(" \u00a0")]).toEqual([{}, {}]);
});

const units = fc.bigInt({ min: 0n, max: 10n ** 48n });

test("every amount that a page puts into a field, or shows in full, is read back as itself", () => {
  fc.assert(
    fc.property(units, (raw) => {
      expect(parseAmount(fromUnits(raw))).toEqual({ units: raw });
    }),
  );
});

test("a rounded number is read back as the number shown, or refused, never as another one", () => {
  const shownNumbers = fc.oneof(
    fc
      .tuple(units, fc.integer({ min: 2, max: 6 }))
      .map(([raw, digits]) => formatNumber(fromUnits(raw), digits)),
    fc.double({ min: 0, max: 1e7, noNaN: true }).map((value) => formatNumber(value)),
    fc.nat().map(formatCount),
    fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => formatPercent(value).replace("%", "")),
  );
  fc.assert(
    fc.property(shownNumbers, (shown) => {
      const read = parseAmount(shown).units;
      if (read !== undefined) expect(Number(fromUnits(read))).toBe(Number(shown));
    }),
  );
});

const locales = [
  "en",
  "de",
  "de-CH",
  "fr",
  "fr-CH",
  "ru",
  "vi",
  "pt",
  "pt-BR",
  "es",
  "pl",
  "sv",
  "tr",
  "en-IN",
  "ja",
];
const otherDigits = ["ar-EG", "fa", "hi-u-nu-deva", "my", "bn", "mr"];
const written = (locale: string, raw: bigint, useGrouping: boolean) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 18, useGrouping }).format(
    // Formatted from the decimal text: a number would be rounded.
    fromUnits(raw) as unknown as number,
  );

test("a number written as in any of these languages is read as itself", () => {
  fc.assert(
    fc.property(units, fc.constantFrom(...locales), (raw, locale) => {
      expect(parseAmount(written(locale, raw, false))).toEqual({ units: raw });
    }),
  );
});

test("with thousands separators or other digits, it is refused unless it has one comma or point, which is the decimal one", () => {
  const thousands = fc.integer({ min: 1_000, max: 999_999 }).map((whole) => BigInt(whole) * one);
  fc.assert(
    fc.property(fc.oneof(units, thousands), fc.constantFrom(...locales, ...otherDigits), (raw, locale) => {
      const text = written(locale, raw, true);
      const read = parseAmount(text).units;
      if (read === undefined || read === raw) return;
      expect(text).toMatch(/^\d{1,3}[.,]\d{3}$/);
      expect(read * 1_000n).toBe(raw);
    }),
  );
});

test("what somebody has, or gets at least, is never shown as more", () => {
  const shown = [one - 1n, 123_456_789n * 10n ** 12n, 999_999_999n * one, 1n, 0n].map((raw) =>
    formatDown(raw, 6),
  );
  expect(shown).toEqual(["0.999999", "123.456", "999.999M", "0.0₁₇1", "0"]);
  fc.assert(
    fc.property(units, fc.integer({ min: 2, max: 6 }), (raw, digits) => {
      const read = parseAmount(formatDown(raw, digits)).units;
      if (read !== undefined) expect(read).toBeLessThanOrEqual(raw);
    }),
  );
});

test("base units become exact decimals", () => {
  expect(["0", "1", "1500000000000000000", "100000000000000000000"].map((raw) => fromUnits(raw))).toEqual([
    "0",
    "0.000000000000000001",
    "1.5",
    "100",
  ]);
});
