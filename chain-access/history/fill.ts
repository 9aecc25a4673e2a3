import type { Children } from "../sources/children.ts";
import type { Log, Range } from "../sources/log.ts";
import type { CoveredSource } from "./coverage.ts";
import type { WindowEvents, WindowReader } from "./read-window.ts";
import { createWindowSizes } from "./window-sizes.ts";

/** Windows whose static events are read ahead, and windows that are completed at a time. */
const ahead = 8;
const running = 6;

/** So many that they leave much behind. */
const manyLogs = 20_000;

export type FillDeps = {
  reader: WindowReader;
  children: Children;
  /** Whether nothing is stored yet. */
  isFirst: () => boolean;
  /** Which sources lack blocks of a range. */
  lacking: (range: Range) => CoveredSource[];
  store: (window: Range, sources: readonly CoveredSource[], events: WindowEvents) => Promise<void>;
};

type Started = { window: Range; sources: CoveredSource[]; own: Promise<Log[]> };

/**
 * Reads ranges of final blocks and stores them, window by window. Static events are read ahead, since they name the tokens and
 * pairs whose events are read next.
 *
 * @throws what the first window that failed fails with, once no window is at work any more
 */
export function createFill({ reader, children, isFirst, lacking, store }: FillDeps) {
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
    const sources = lacking(window);
    const own = reader.readStatic(
      sources.flatMap(({ addresses }) => addresses),
      window,
    );
    own.catch(leaveToItsWindow);
    return { window, sources, own };
  }

  async function complete({ window, sources }: Started, own: Log[]): Promise<void> {
    const withChildren = sources.some(({ name }) => name.startsWith("launchpad"));
    const events = await reader.read(own, window, withChildren);
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
      while (started.length < ahead) {
        const { value, done } = coming.next();
        if (done) break;
        started.push(start(value));
      }
      const next = started.shift();
      if (next === undefined || failure !== undefined || signal.aborted) break;
      try {
        const own = await next.own;
        children.learn(own);
        const work: Promise<void> = complete(next, own)
          .catch((error: unknown) => {
            failure ??= error;
          })
          .finally(() => atWork.delete(work));
        atWork.add(work);
      } catch (error) {
        failure = error;
      }
      if (atWork.size >= running) await Promise.race(atWork);
    }
    await Promise.all(atWork);
    // What reading left behind, half a gigabyte, which V8 would keep for as long as this thread has little to do.
    if (logsRead > manyLogs)
      void globalThis.gc?.({ type: "major", execution: "async", flavor: "last-resort" });
    logsRead = 0;
    if (failure !== undefined) throw failure;
    signal.throwIfAborted();
  };
}

/** Those behind a window that failed are not waited for. */
const leaveToItsWindow = () => {};
