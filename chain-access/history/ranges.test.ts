import fc from "fast-check";
import { expect, test } from "vitest";
import { addRange, countBlocks, missingIn, type Ranges } from "./coverage.ts";

const range = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 }))
  .map(([from, size]) => ({ from, to: from + size }));

const blocksOf = (ranges: Ranges) =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));

test("ranges contain exactly the blocks that were added, and the missing ones are the rest", () => {
  fc.assert(
    fc.property(fc.array(range), range, (added, asked) => {
      const ranges = added.reduce<Ranges>(addRange, []);
      const blocks = [...new Set(blocksOf(added))].sort((a, b) => a - b);
      expect(blocksOf(ranges)).toEqual(blocks);
      expect(countBlocks(ranges)).toBe(blocks.length);
      expect(blocksOf(missingIn(ranges, asked))).toEqual(
        blocksOf([asked]).filter((block) => !blocks.includes(block)),
      );
      // None are adjacent: each is as long as it can be.
      expect(ranges.every(({ from }, index) => index === 0 || from > (ranges[index - 1]?.to ?? 0) + 1)).toBe(
        true,
      );
    }),
  );
});
