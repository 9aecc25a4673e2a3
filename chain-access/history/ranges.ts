import { type Range, rangeSize } from "../sources/log.ts";

/** Disjoint ranges of blocks, in order and not adjacent. */
export type Ranges = readonly Range[];

/** Returns the ranges with one more merged in. */
export function addRange(ranges: Ranges, added: Range): Ranges {
  const apart = ranges.filter(({ from, to }) => to + 1 < added.from || from > added.to + 1);
  const touching = [added, ...ranges.filter((range) => !apart.includes(range))];
  const merged = {
    from: Math.min(...touching.map(({ from }) => from)),
    to: Math.max(...touching.map(({ to }) => to)),
  };
  return [...apart, merged].sort((a, b) => a.from - b.from);
}

/** Returns the parts of a range that the ranges don't cover, in order. */
export function missingIn(ranges: Ranges, { from, to }: Range): Range[] {
  const missing: Range[] = [];
  let next = from;
  for (const range of ranges) {
    if (range.to < next) continue;
    if (range.from > to) break;
    if (range.from > next) missing.push({ from: next, to: range.from - 1 });
    next = range.to + 1;
  }
  if (next <= to) missing.push({ from: next, to });
  return missing;
}

/** Counts the blocks of all ranges. */
export const countBlocks = (ranges: Ranges): number =>
  ranges.reduce((sum, range) => sum + rangeSize(range), 0);
