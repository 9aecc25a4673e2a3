import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import { type Range, sizeOf } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type CoveredSource, coveredSources, readCoverage } from "./coverage.ts";
import { createFill } from "./fill.ts";
import { addRange, countBlocks, missingIn, type Ranges } from "./ranges.ts";
import type { LogReader } from "./read-logs.ts";
import { createWindowReader } from "./read-window.ts";
import { storeWindow } from "./store-window.ts";
import { isNew, readChildren, readKnownThrough } from "./stored-events.ts";

/** Milliseconds before what failed is tried again. */
const retryMs = 2_000;

export type HistoryDeps = {
  pool: Pool;
  logs: LogReader;
  database: pg.Pool;
  sources: Sources;
  children: Children;
  /** The last block that is final by now. */
  readFinalized: () => Promise<number>;
  /** Told why a range could not be read or stored. It is tried again. */
  onFailure: (error: unknown) => void;
};

export type History = ReturnType<typeof createHistory>;

/** Reads what Ponder asks for, and what it is going to ask for next, and stores it where Ponder looks. */
export function createHistory(deps: HistoryDeps) {
  const { pool, logs, database, sources, children, readFinalized, onFailure } = deps;
  const stopping = new AbortController();
  const parts = coveredSources(sources);
  const covered = new Map<string, Ranges>();
  const [launchpad] = parts as [CoveredSource];
  /** All tokens and pairs up to this block are known. */
  let known = sources.startBlock - 1;
  const progress = { events: 0, blocks: 0, wanted: 0 };
  /** Resolves once Ponder asks, since its tables are there by then. */
  const storable = Promise.withResolvers<void>();
  let loading: Promise<void> | undefined;
  let filling: Promise<void> | undefined;
  let waiting: (() => void)[] = [];

  const reader = createWindowReader({ pool, logs, sources, children });
  const fill = createFill({
    reader,
    children,
    isFirst: () => covered.size === 0,
    lacking: (range) => parts.filter((part) => lacks(part, range).length > 0),
    async store(window, sourcesOfWindow, events) {
      await storable.promise;
      stopping.signal.throwIfAborted();
      const names = sourcesOfWindow.map(({ name }) => name);
      await storeWindow(database, sources.chainId, { window, sources: names, events });
      for (const name of names) covered.set(name, addRange(covered.get(name) ?? [], window));
      progress.events += events.logs.length;
      progress.blocks += sizeOf(window);
      extendKnown();
      wake();
    },
  });

  /** Follows the launchpad's coverage from where its tokens and pairs are known. */
  function extendKnown(): void {
    const next = (covered.get(launchpad.name) ?? []).find(({ from, to }) => from <= known + 1 && to > known);
    if (next !== undefined) known = next.to;
  }

  function lacks({ name, firstBlock }: CoveredSource, { from, to }: Range): Range[] {
    const first = Math.max(from, firstBlock);
    return first > to ? [] : missingIn(covered.get(name) ?? [], { from: first, to });
  }

  const missing = (range: Range): Range[] => [
    ...parts.flatMap((part) => lacks(part, range)).reduce<Ranges>(addRange, []),
  ];

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  }

  async function load(): Promise<void> {
    for (const [name, ranges] of await readCoverage(database, sources.chainId)) covered.set(name, ranges);
    for (const child of await readChildren(database, sources)) children.add(child);
    known = Math.max(known, await readKnownThrough(database, sources));
    extendKnown();
  }

  /** Fills everything from a block on that is final, again and again until nothing fails. */
  async function fillFrom(from: number, atLeast: number): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const to = Math.max(atLeast, await readFinalized());
        const ranges = missing({ from, to });
        progress.wanted = progress.blocks + countBlocks(ranges);
        await fill(ranges, stopping.signal);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        onFailure(error);
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(endLoop);
      }
    }
  }

  /** Reads what earlier runs have stored. */
  async function loadOnce(): Promise<void> {
    loading ??= load();
    await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  }

  function startFilling(from: number, atLeast: number): void {
    filling ??= fillFrom(from, atLeast).finally(() => {
      filling = undefined;
      wake();
    });
  }

  return {
    load: loadOnce,
    knownThrough: () => known,

    /** Since the start: blocks and events that were stored, and blocks in all that are to be. */
    progress,

    /** Begins to read a new database's first blocks while Ponder makes its tables. They are stored once it asks. */
    async readAhead(): Promise<void> {
      if (await isNew(database)) startFilling(0, 0);
    },

    /** Resolves once the blocks, which are final, are stored. */
    async ensure(range: Range): Promise<void> {
      await loadOnce();
      storable.resolve();
      while (missing(range).length > 0) {
        stopping.signal.throwIfAborted();
        startFilling(range.from, range.to);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },

    /** Ends at the next window. */
    async stop(): Promise<void> {
      stopping.abort();
      storable.resolve();
      await filling;
    },
  };
}

/** The loop looks at the signal itself. */
const endLoop = () => {};
