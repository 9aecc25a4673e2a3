import type { Range } from "../sources/log.ts";

/** Events that a window should have: enough for few requests, but few enough for several windows to fit into memory. */
const targetEvents = { min: 5_000, max: 20_000, perThousandAddresses: 150 };
/** Blocks of a first sync's first window, so that even a busy chain's first events come at once, and are stored while others are read. */
const firstWindowBlocks = 20;
/** The factor by which windows grow, and their largest size, until the first window has shown how many events there are. */
const growth = 3;
const maxUninformedBlocks = 2_000;
const maxBlocks = 100_000;

/**
 * Sizes windows of blocks by the number of events in earlier ones.
 *
 * @param isFirst whether nothing is stored yet
 */
export function createWindowSizes(isFirst: boolean) {
  let blocks = isFirst ? firstWindowBlocks : maxUninformedBlocks;
  let isKnown = false;

  return {
    /** Returns the first window of a range. */
    next({ from, to }: Range): Range {
      const window = { from, to: Math.min(to, from + Math.round(blocks) - 1) };
      if (!isKnown) blocks = Math.min(maxUninformedBlocks, growth * blocks);
      return window;
    },

    /** Learns from a window, at most doubling the size. More addresses call for larger windows: each thousand costs a request. */
    learn(window: Range, events: number, addresses: number): void {
      const wanted = Math.min(
        targetEvents.max,
        targetEvents.min + (addresses / 1_000) * targetEvents.perThousandAddresses,
      );
      const size = window.to - window.from + 1;
      const fitting = (size * wanted) / Math.max(1, events);
      blocks = Math.max(1, Math.min(maxBlocks, 2 * blocks, fitting));
      isKnown = true;
    },
  };
}
