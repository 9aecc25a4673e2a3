import type { Children } from "../sources/children.ts";
import { type Hex, type Log, type Range, rangeSize } from "../sources/log.ts";

/** Tokens and pairs that are asked for together, from the start of a window to its end or beyond. */
export type Reading = { addresses: Hex[]; range: Range };

/** How many times as far ahead as it has had no event a token or a pair is read. */
const confidence = 2;
/** Windows for which it must have had no event to be read ahead at all. */
const minIdleWindows = 1;

/**
 * Decides which tokens and pairs each window of blocks asks for. Most have had no event for long, and will have none for about as
 * long again: these are read far ahead, and not asked for again before that. So a window asks for few of them, however many there are.
 */
export function createReadingPlan(children: Pick<Children, "discovered" | "since">) {
  const { discovered } = children;
  const places = new Map<Hex, number>();
  /** By their place in `discovered`: the block up to which they have been asked for, and the last one with an event. */
  const askedThrough: number[] = [];
  const lastEvents: number[] = [];
  let next = -1;

  /** Adds those that have been discovered since the last window. Whether older ones had events is not known, so they count as active. */
  function catchUp({ from }: Range): void {
    for (let place = askedThrough.length; place < discovered.length; place++) {
      const { address, block } = discovered[place] as (typeof discovered)[number];
      places.set(address, place);
      askedThrough[place] = -1;
      lastEvents[place] = Math.max(block, from);
    }
  }

  /** The end of the range in which one is asked for. Ends are aligned, so that many share them, and are asked for together again. */
  function endFor(place: number, window: Range, furthest: number): number {
    const idle = window.to - (lastEvents[place] as number);
    if (idle < minIdleWindows * rangeSize(window)) return window.to;
    const length = 2 ** Math.floor(Math.log2(confidence * idle));
    const end = Math.ceil((window.to + 1 + length / 2) / length) * length - 1;
    return Math.max(window.to, Math.min(end, furthest));
  }

  return {
    /** Whether a window follows the last one. Any other one begins the plan anew. */
    continuesWith: ({ from }: Range): boolean => from === next,

    /**
     * Returns what to ask for, so that all tokens and pairs that exist in a window have been asked for in it. Those
     * whose earlier range ends within it are asked for from its start.
     *
     * @param furthest the last block that may be asked for
     */
    next(window: Range, furthest: number): Reading[] {
      if (window.from !== next) askedThrough.fill(-1);
      next = window.to + 1;
      catchUp(window);
      const byEnd = new Map<number, Hex[]>();
      for (const [place, through] of askedThrough.entries()) {
        if (through >= window.to) continue;
        const { address } = discovered[place] as (typeof discovered)[number];
        if (children.since(address) > window.to) continue;
        const end = endFor(place, window, furthest);
        askedThrough[place] = end;
        const together = byEnd.get(end);
        if (together === undefined) byEnd.set(end, [address]);
        else together.push(address);
      }
      return [...byEnd].map(([to, addresses]) => ({ addresses, range: { from: window.from, to } }));
    },

    /** Learns from logs who has had events, and when. */
    learn(logs: readonly Pick<Log, "address" | "blockNumber">[]): void {
      for (const { address, blockNumber } of logs) note(address, Number(blockNumber));
    },
    note,

    /** Has the next window ask for all. */
    forget(): void {
      next = -1;
    },
  };

  function note(address: string, block: number): void {
    const place = places.get(address.toLowerCase() as Hex);
    if (place !== undefined) lastEvents[place] = Math.max(lastEvents[place] as number, block);
  }
}
