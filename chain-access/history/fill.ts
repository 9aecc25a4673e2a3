import { ignore } from "../../config/async.ts";
import type { Children } from "../sources/children.ts";
import type { Log, Range } from "../sources/log.ts";
import { type CoveredSource, readsChildren } from "./coverage.ts";
import type { WindowEvents, WindowReader } from "./read-window.ts";

/** Windows whose static events are read ahead, and windows that are completed concurrently. */
const readAheadWindows = 8;
const maxConcurrentWindows = 6;

/** Logs read in one fill after which a garbage collection is worth its time. */
const collectGarbageAfterLogs = 20_000;

export type FillDeps = {
  reader: WindowReader;
  children: Children;
  /** Whether nothing is stored yet. */
  isFirst: () => boolean;
  /** The sources that lack blocks of a range. */
  sourcesMissing: (range: Range) => CoveredSource[];
  store: (window: Range, sources: readonly CoveredSource[], events: WindowEvents) => Promise<void>;
};

type Started = { window: Range; sources: CoveredSource[]; staticLogs: Promise<Log[]> };

/**
 * Reads ranges of final blocks and stores them, window by window. Static events are read ahead because they name the tokens and
 * pairs whose events are read next.
 *
 * @throws the error of the first window that failed, once all windows that were started have settled
 */
export function createFill({ reader, children, isFirst, sourcesMissing, store }: FillDeps) {
  let sizes: ReturnType<typeof createWindowSizes> | undefined;
  let logsRead = 0;

  function* windows(ranges: readonly Range[]): Generator<Range> {
    for (const { from, to } of ranges) {
      for (let next = from; next <= to; ) {
        sizes ??= createWindowSizes(isFirst());
        const window = sizes.next({ from: next, to });
        yield window;
        next = window.to + 1;
      }
    }
  }

  function start(window: Range): Started {
    const sources = sourcesMissing(window);
    const staticLogs = reader.readStatic(
      sources.flatMap(({ addresses }) => addresses),
      window,
    );
    // Windows are awaited in order, and those after a failed one not at all: their rejections must not end the process.
    staticLogs.catch(ignore);
    return { window, sources, staticLogs };
  }

  async function complete({ window, sources }: Started, staticLogs: Log[]): Promise<void> {
    const withChildren = readsChildren(sources);
    const events = await reader.read(staticLogs, window, withChildren);
    logsRead += events.logs.length;
    sizes?.learn(window, events.logs.length, withChildren ? children.count : 0);
    await store(window, sources, events);
  }

  return async (ranges: readonly Range[], signal: AbortSignal): Promise<void> => {
    const coming = windows(ranges);
    const started: Started[] = [];
    const atWork = new Set<Promise<void>>();
    let failure: unknown;

    for (;;) {
      while (started.length < readAheadWindows) {
        const { value, done } = coming.next();
        if (done) break;
        started.push(start(value));
      }
      const next = started.shift();
      if (next === undefined || failure !== undefined || signal.aborted) break;
      try {
        const staticLogs = await next.staticLogs;
        children.learn(staticLogs);
        const work: Promise<void> = complete(next, staticLogs)
          .catch((error: unknown) => {
            failure ??= error;
          })
          .finally(() => atWork.delete(work));
        atWork.add(work);
      } catch (error) {
        failure = error;
      }
      if (atWork.size >= maxConcurrentWindows) await Promise.race(atWork);
    }
    await Promise.all(atWork);
    // Reading leaves half a gigabyte of garbage, which V8 would keep for as long as this thread has little to do.
    if (logsRead > collectGarbageAfterLogs)
      void globalThis.gc?.({ type: "major", execution: "async", flavor: "last-resort" });
    logsRead = 0;
    if (failure !== undefined) throw failure;
    signal.throwIfAborted();
  };
}

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
