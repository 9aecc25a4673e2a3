import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleRange } from "./virtual-list.tsx";

test("every entry in view is rendered and read, at the top, in the middle and at the end", () => {
  const view = fc
    .record({
      count: fc.integer({ min: 1, max: 300 }),
      columns: fc.integer({ min: 1, max: 6 }),
      rows: fc.integer({ min: 1, max: 30 }),
      overscan: fc.integer({ min: 0, max: 4 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ share, ...size }) => {
      const allRows = Math.ceil(size.count / size.columns);
      // As far as a page scrolls.
      return { ...size, top: Math.round(share * Math.max(0, allRows - size.rows)) };
    });
  fc.assert(
    fc.property(view, (given) => {
      const { first, last, from, to } = visibleRange(given);
      expect(from).toBe(given.top * given.columns);
      expect(to).toBe(Math.min(given.count, from + given.rows * given.columns));
      expect(first).toBeLessThanOrEqual(from);
      expect(last).toBeGreaterThanOrEqual(to);
    }),
  );
});

test("a list that has become shorter shows its end", () => {
  expect(visibleRange({ top: 90, rows: 10, columns: 2, count: 30, overscan: 4 })).toMatchObject({
    from: 10,
    to: 30,
    last: 30,
  });
});
