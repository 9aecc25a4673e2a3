import { ignore } from "../../config/async.ts";
import type { Children } from "../sources/children.ts";
import { type Hex, type Log, type Range, rangeSize } from "../sources/log.ts";
import { childTopics, namedBy, type Sources } from "../sources/sources.ts";
import type { LogReader } from "./read-logs.ts";

/** Tokens and pairs that are asked for together, from the start of a window to its end or beyond. */
type Reading = { addresses: Hex[]; range: Range };

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
        const { address, block } = discovered[place] as (typeof discovered)[number];
        // It may have been found to exist earlier than by the log that it was discovered with.
        if (block > window.to && children.since(address) > window.to) continue;
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

/** While so many logs of later windows are in memory, some 300 MB, nothing more is read ahead. */
const maxAheadLogs = 300_000;

/** What has been asked for: its last block, and those of its logs that no window has taken yet. */
type Begun = { to: number; logs: Promise<Log[]>; count: number };

export type ChildLogs = {
  logs: Log[];
  /** How many tokens and pairs were asked for in this window alone. */
  asked: number;
  /** False once another window has shown that what was read ahead for several is wrong. */
  isTrusted: () => boolean;
};

type ChildReaderDeps = { logs: LogReader; sources: Sources; children: Children };

/** Reads the events of tokens and pairs for one window after the other, those that sleep for many windows at once. */
export function createChildReader({ logs: reader, sources, children }: ChildReaderDeps) {
  const plan = createReadingPlan(children);
  /** What was read for windows after the last one. */
  let ahead: Begun[] = [];
  /** How often what was read ahead has been dropped. */
  let drops = 0;

  function begin({ addresses, range }: Reading): Begun {
    const logs = reader.read({ addresses, topics: childTopics }, range);
    return { to: range.to, logs: logs.then(learned), count: 0 };
  }

  function learned(logs: Log[]): Log[] {
    plan.learn(logs);
    return logs;
  }

  /** Takes the logs up to a block, and leaves the later ones. */
  async function take(begun: Begun, through: number): Promise<Log[]> {
    const all = begun.logs;
    if (begun.to === through) return await all;
    begun.logs = all.then((logs) => {
      const later = logs.filter(({ blockNumber }) => Number(blockNumber) > through);
      begun.count = later.length;
      return later;
    });
    // The window that takes the others fails as well.
    begun.logs.catch(ignore);
    return (await all).filter(({ blockNumber }) => Number(blockNumber) <= through);
  }

  return {
    /**
     * Reads all events of tokens and pairs that exist at the end of a window. Call it for one window after the other, without waiting
     * for the earlier ones; after a gap, everything is asked for again.
     *
     * @param staticLogs the window's events that name tokens and pairs
     * @param until the last block that may be read ahead
     */
    async read(window: Range, staticLogs: readonly Log[], until: number): Promise<ChildLogs> {
      const dropsBefore = drops;
      const isTrusted = () => drops === dropsBefore;
      if (!plan.continuesWith(window)) ahead = [];
      for (const log of staticLogs) {
        for (const address of namedBy(sources, log)) plan.note(address, Number(log.blockNumber));
      }
      const isFull = ahead.reduce((sum, { count }) => sum + count, 0) > maxAheadLogs;
      const furthest = isFull ? window.to : Math.min(until, window.from + reader.maxBlocks() - 1);
      const readings = plan.next(window, furthest);
      // Those of a reading that ends within the window are asked for again from the window's start.
      const used = [...ahead.filter(({ to }) => to >= window.to), ...readings.map(begin)];
      ahead = used.filter(({ to }) => to > window.to);
      const logs = await Promise.all(used.map((begun) => take(begun, window.to)));
      const own = readings.filter(({ range }) => range.to === window.to);
      const asked = own.reduce((sum, { addresses }) => sum + addresses.length, 0);
      return { logs: logs.flat(), asked, isTrusted };
    },

    /** Reads a range by itself, with nothing that was read ahead. */
    async readAlone(range: Range): Promise<Log[]> {
      const addresses = children.addresses(range.to);
      return addresses.length === 0 ? [] : await reader.read({ addresses, topics: childTopics }, range);
    },

    /** Drops what was read ahead, also for windows that are being read: it can't be trusted. */
    forget(): void {
      drops++;
      plan.forget();
      ahead = [];
    },
  };
}
