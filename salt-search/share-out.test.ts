import fc from "fast-check";
import { expect, test } from "vitest";
import { shareOut } from "./pool.ts";

const count = fc.integer({ min: 1, max: 40 });

test("every search has a worker, every worker a search, and the shares differ by one at most", () => {
  fc.assert(
    fc.property(count, count, (workers, searches) => {
      const shares = shareOut(workers, searches);
      const sizes = shares.map(({ length }) => length);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
      const parts = Array.from(
        { length: searches },
        (_, search) => shares.filter((share) => share.includes(search)).length,
      );
      expect(Math.min(...parts)).toBeGreaterThan(0);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThan(2);
    }),
  );
});

test("without searches, no worker has one", () => {
  expect(shareOut(2, 0)).toEqual([[], []]);
});
