import type { Range } from "../sources/log.ts";

/** Events that a window should have: enough that requests are few, few enough that several windows fit into memory. */
const wantedEvents = { least: 5_000, most: 20_000, perThousandAddresses: 150 };
/** Of a first sync, so that on a busy chain, too, the first events are there at once, and the next are read while they are stored. */
const fewestBlocks = 20;
/** How much larger each window is than the one before, and how large at most, as long as nothing is known of the events. */
const growth = 3;
const mostBlindly = 2_000;
const mostBlocks = 100_000;

/**
 * Sizes windows of blocks by the events that earlier ones had.
 *
 * @param isFirst whether nothing is stored yet
 */
export function createWindowSizes(isFirst: boolean) {
  let blocks = isFirst ? fewestBlocks : mostBlindly;
  let isKnown = false;

  return {
    /** The first window of a range. */
    next({ from, to }: Range): Range {
      const window = { from, to: Math.min(to, from + Math.round(blocks) - 1) };
      if (!isKnown) blocks = Math.min(mostBlindly, growth * blocks);
      return window;
    },

    /** Learns from a window, at most doubling the size. Each thousand addresses is a request of its own, whatever comes of it. */
    learn(window: Range, events: number, addresses: number): void {
      const wanted = Math.min(
        wantedEvents.most,
        wantedEvents.least + (addresses / 1_000) * wantedEvents.perThousandAddresses,
      );
      const size = window.to - window.from + 1;
      const fitting = (size * wanted) / Math.max(1, events);
      blocks = Math.max(1, Math.min(mostBlocks, 2 * blocks, fitting));
      isKnown = true;
    },
  };
}
