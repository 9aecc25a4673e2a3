import type { Children } from "../sources/children.ts";
import type { Log, Range } from "../sources/log.ts";
import { type CoveredSource, readsChildren } from "./coverage.ts";
import type { WindowEvents, WindowReader } from "./read-window.ts";
import { createWindowSizes } from "./window-sizes.ts";

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
    staticLogs.catch(awaitedInOrder);
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

/** Windows are awaited in order, and those after a failed one not at all: their rejections must not end the process. */
const awaitedInOrder = () => {};
