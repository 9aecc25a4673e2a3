import type { Range } from "../sources/log.ts";

/** Events that a window should have: enough that requests are few, few enough that several windows fit into memory. */
const wantedEvents = { least: 5_000, most: 20_000, perThousandAddresses: 150 };
const firstBlocks = 2_000;
const mostBlocks = 100_000;

/** Sizes windows of blocks by the events that earlier ones had. */
export function createWindowSizes() {
  let blocks = firstBlocks;

  return {
    /** The first window of a range. */
    next({ from, to }: Range): Range {
      return { from, to: Math.min(to, from + Math.round(blocks) - 1) };
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
    },
  };
}
