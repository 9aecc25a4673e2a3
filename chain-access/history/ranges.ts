import { type Range, sizeOf } from "../sources/log.ts";

/** Disjoint ranges of blocks, in order, none next to another. */
export type Ranges = readonly Range[];

/** The ranges with one more. */
export function addRange(ranges: Ranges, added: Range): Ranges {
  const apart = ranges.filter(({ from, to }) => to + 1 < added.from || from > added.to + 1);
  const touching = [added, ...ranges.filter((range) => !apart.includes(range))];
  const merged = {
    from: Math.min(...touching.map(({ from }) => from)),
    to: Math.max(...touching.map(({ to }) => to)),
  };
  return [...apart, merged].sort((a, b) => a.from - b.from);
}

/** The parts of a range that the ranges lack, in order. */
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

/** How many blocks the ranges have. */
export const countBlocks = (ranges: Ranges): number => ranges.reduce((sum, range) => sum + sizeOf(range), 0);
