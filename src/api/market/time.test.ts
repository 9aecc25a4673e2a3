import fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime, type Span, splitSpan } from "./time.ts";

test.each([
  ["0", "1970-01-01T00:00:00.000Z"],
  [1_769_860_800, "2026-01-31T12:00:00.000Z"],
  [2n ** 63n - 1n, "+275760-09-13T00:00:00.000Z"],
])("%s seconds since 1970 are %s", (seconds, shown) => expect(isoTime(seconds)).toBe(shown));

const length = ({ from, to }: Span) => Math.max(0, to - from);

test("a day has 23 or 24 hours, at most 118 minutes and less than two minutes besides", () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), (from) => {
      const { hours, minutes, rests } = splitSpan({ from, to: from + 86_400 });
      expect([23, 24]).toContain(length(hours) / 3_600);
      expect(minutes.reduce((sum, part) => sum + length(part), 0)).toBeLessThanOrEqual(118 * 60);
      for (const rest of rests) expect(length(rest)).toBeLessThan(60);
    }),
  );
});

test("the parts cover each second of the span once, and candles align with their intervals", () => {
  fc.assert(
    fc.property(fc.nat(20_000), fc.nat(20_000), (from, seconds) => {
      const span = { from, to: from + seconds };
      const { hours, minutes, rests } = splitSpan(span);
      const parts = [rests[0], minutes[0], hours, minutes[1], rests[1]].filter((part) => length(part) > 0);
      let at = span.from;
      for (const part of parts) {
        expect(part.from).toBe(at);
        at = part.to;
      }
      expect(at).toBe(span.to);
      for (const part of minutes.filter((part) => length(part) > 0)) {
        expect([part.from % 60, part.to % 60]).toEqual([0, 0]);
      }
      if (length(hours) > 0) expect([hours.from % 3_600, hours.to % 3_600]).toEqual([0, 0]);
    }),
  );
});

test("a span that ends before it begins has no parts", () => {
  const { hours, minutes, rests } = splitSpan({ from: 100_000, to: 5 });
  for (const part of [hours, ...minutes, ...rests]) expect(length(part)).toBe(0);
});
