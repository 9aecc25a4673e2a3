import { ignore } from "../../config/async.ts";
import type { Children } from "../sources/children.ts";
import { type Log, type Range, rangeSize } from "../sources/log.ts";
import { type CoveredSource, readsChildren } from "./coverage.ts";
import type { WindowEvents, WindowReader } from "./read-window.ts";

/** Windows whose static events are read ahead, and windows that are completed concurrently. */
const fastest = { ahead: 8, concurrent: 6 };
const oneByOne = { ahead: 1, concurrent: 1 };

/** Logs read in one fill after which a garbage collection is worth its time. */
const collectGarbageAfterLogs = 20_000;

export type FillDeps = {
  reader: WindowReader;
  children: Children;
  /** A first sync's, if nothing is stored yet; or one in the background, while new blocks wait for this thread. */
  kind: () => WindowKind;
  /** The sources that lack blocks of a range. */
  sourcesMissing: (range: Range) => CoveredSource[];
  store: (window: Range, sources: readonly CoveredSource[], events: WindowEvents) => Promise<void>;
};

/** A window, and the last block of the range that it is a part of. */
type Window = { window: Range; until: number };

type Started = Window & { sources: CoveredSource[]; staticLogs: Promise<Log[]> };

/**
 * Reads ranges of final blocks and stores them, window by window. Static events are read ahead because they name the tokens and
 * pairs whose events are read next.
 *
 * @throws the error of the first window that failed, once all windows that were started have settled
 */
export function createFill(deps: FillDeps) {
  const { reader, children, kind, sourcesMissing, store } = deps;
  let sizes: ReturnType<typeof createWindowSizes> | undefined;
  let logsRead = 0;

  function* windows(ranges: readonly Range[]): Generator<Window> {
    for (const { from, to } of ranges) {
      for (let next = from; next <= to; ) {
        sizes ??= createWindowSizes(kind());
        const window = sizes.next({ from: next, to });
        yield { window, until: to };
        next = window.to + 1;
      }
    }
  }

  function start({ window, until }: Window): Started {
    const sources = sourcesMissing(window);
    const staticLogs = reader.readStatic(
      sources.flatMap(({ addresses }) => addresses),
      window,
    );
    // Windows are awaited in order, and those after a failed one not at all: their rejections must not end the process.
    staticLogs.catch(ignore);
    return { window, until, sources, staticLogs };
  }

  async function complete({ window, until, sources }: Started, staticLogs: Log[]): Promise<void> {
    const events = await reader.read(staticLogs, window, { withChildren: readsChildren(sources), until });
    logsRead += events.logs.length;
    sizes?.learn(window, events.logs.length, events.asked, reader.maxBlocks());
    await store(window, sources, events);
  }

  return async (ranges: readonly Range[], signal: AbortSignal): Promise<void> => {
    const windowsAtOnce = kind() === "background" ? oneByOne : fastest;
    const coming = windows(ranges);
    const started: Started[] = [];
    const atWork = new Set<Promise<void>>();
    let failure: unknown;

    for (;;) {
      while (started.length < windowsAtOnce.ahead) {
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
      if (atWork.size >= windowsAtOnce.concurrent) await Promise.race(atWork);
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

/**
 * Blocks of the first window, and the events that each should have: enough for few requests, but few enough for several windows to fit
 * into memory, or for a step in the background to take little of this thread's time. A first sync begins with few blocks, so that even
 * a busy chain's first events come at once, and are stored while others are read.
 */
const fewRequests = { min: 5_000, max: 20_000, perAddress: 10 };
const windowKinds = {
  first: { blocks: 20, ...fewRequests },
  usual: { blocks: 2_000, ...fewRequests },
  background: { blocks: 100, min: 2_000, max: 4_000, perAddress: 1 },
};
type WindowKind = keyof typeof windowKinds;
/** The factor by which windows grow, and their largest size, until the first window has shown how many events there are. */
const growth = 3;
const maxUninformedBlocks = 2_000;
/** The longest window, by the range that one request may ask for: ten of these, within limits. */
const maxBlocks = { least: 100_000, most: 1_000_000, ranges: 10 };

/**
 * Sizes windows of blocks by the number of events in earlier ones.
 */
export function createWindowSizes(kind: WindowKind) {
  const { min, max, perAddress, ...first } = windowKinds[kind];
  let { blocks } = first;
  let isKnown = false;

  return {
    /** Returns the first window of a range. */
    next({ from, to }: Range): Range {
      const window = { from, to: Math.min(to, from + Math.round(blocks) - 1) };
      if (!isKnown) blocks = Math.min(maxUninformedBlocks, growth * blocks);
      return window;
    },

    /**
     * Learns from a window, at most doubling the size. More addresses call for larger windows: each thousand costs a request.
     *
     * @param addresses how many had to be asked for in this window alone
     * @param range the blocks that one request may ask for
     */
    learn(window: Range, events: number, addresses: number, range: number): void {
      const wanted = Math.min(max, min + addresses * perAddress);
      const fitting = (rangeSize(window) * wanted) / Math.max(1, events);
      const longest = Math.min(maxBlocks.most, Math.max(maxBlocks.least, maxBlocks.ranges * range));
      blocks = Math.max(1, Math.min(longest, 2 * blocks, fitting));
      isKnown = true;
    },
  };
}
