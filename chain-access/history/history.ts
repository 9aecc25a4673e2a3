import type pg from "pg";
import { createNews, pause } from "../../config/async.ts";
import { type Anchor, ChainConflict } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import { type Range, rangeSize } from "../sources/log.ts";
import type { Child, Sources } from "../sources/sources.ts";
import type { Difference } from "./check-events.ts";
import {
  addRange,
  type CoveredSource,
  countBlocks,
  coveredSources,
  missingIn,
  type Ranges,
  readCoverage,
} from "./coverage.ts";
import { createFill } from "./fill.ts";
import { createLogReader, type LogReader } from "./read-logs.ts";
import { createWindowReader, type WindowEvents } from "./read-window.ts";
import { readTokensToCompare } from "./repair-requests.ts";
import { createReread, rereadTokens } from "./reread.ts";
import { storeWindow } from "./store-window.ts";
import {
  isNew,
  readBlockAt,
  readChildren,
  readFollowedThrough,
  readKnownThrough,
  restoreChildList,
} from "./stored-events.ts";
import {
  createCreationsIndex,
  createWindowsTable,
  findLosses,
  inWords,
  lacksChildren,
  markUnread,
} from "./window-counts.ts";

/** Milliseconds before a failed fill is retried. */
const retryMs = 2_000;
/** Milliseconds between looks whether Ponder has created its tables. */
const lookMs = 50;

export type HistoryDeps = {
  pool: Pool;
  logs: LogReader;
  database: pg.Pool;
  sources: Sources;
  children: Children;
  /** The Postgres schema that is indexed. */
  schema: string;
  /** Finds the last final block, or a later one, whose header most endpoints have. Rejects if there is none yet. */
  findFinal: (atLeast: number) => Promise<Anchor>;
  /**
   * Reads the time, in seconds since 1970, up to which this process's index is final: earlier blocks are not indexed again. 0 if
   * nothing is indexed yet.
   */
  readIndexedTime: () => Promise<number>;
  /** Called with the reason why a range could not be read or stored, before it is retried. */
  onFailure: (error: unknown) => void;
  /** The last final block of the chain that is indexed; undefined if none is known yet. */
  lastFinal: () => Anchor | undefined;
  /** Whether the endpoints have that block. */
  isSameChain: () => Promise<boolean>;
  /** Called with what differed in blocks that Ponder followed, once it is stored. The index was made without it. */
  onDifference: (difference: Difference) => void;
  log: (line: string, level?: "warn") => void;
};

export type History = ReturnType<typeof createHistory>;

/** Reads the final blocks that Ponder asks for, and those it will ask for next, and stores their events in Ponder's tables. */
export function createHistory(deps: HistoryDeps) {
  const { pool, logs, database, sources, children, findFinal, readIndexedTime, onFailure, log } = deps;
  const stopping = new AbortController();
  const { launchpad, feeds } = coveredSources(sources);
  const allSources = [launchpad, ...feeds];
  const covered = new Map<string, Ranges>();
  /** All tokens and pairs that were created up to this block are known. */
  let knownThroughBlock = sources.startBlock - 1;
  const progress = { events: 0, blocks: 0, wanted: 0 };
  /** Resolves once Ponder's tables exist. */
  const tablesReady = Promise.withResolvers<void>();
  let loading: Promise<void> | undefined;
  let filling: Promise<void> | undefined;
  const progressed = createNews();

  const reader = createWindowReader({ pool, logs, sources, children });
  const sourcesMissing = (range: Range) =>
    allSources.filter((part) => missingRangesOf(part, range).length > 0);

  async function store(
    window: Range,
    parts: readonly CoveredSource[],
    events: WindowEvents,
    reread?: { difference: Difference | undefined },
  ): Promise<void> {
    stopping.signal.throwIfAborted();
    const names = parts.map(({ name }) => name);
    await storeWindow(database, sources, { window, sources: names, events, reread });
    for (const name of names) covered.set(name, addRange(covered.get(name) ?? [], window));
    extendKnown();
    progressed.notify();
  }

  const fill = createFill({
    reader,
    children,
    kind: () => (covered.size === 0 ? "first" : "usual"),
    sourcesMissing,
    async store(window, parts, events) {
      await tablesReady.promise;
      await store(window, parts, events);
      progress.events += events.logs.length;
      progress.blocks += rangeSize(window);
    },
  });
  const rereadRanges = createReread({
    pool,
    database,
    sources,
    children,
    store,
    partsMissing: sourcesMissing,
    isSameChain: deps.isSameChain,
    onDifference: deps.onDifference,
  });

  /** Advances `knownThroughBlock` to the end of the launchpad's contiguous coverage. */
  function extendKnown(): void {
    const next = (covered.get(launchpad.name) ?? []).find(
      ({ from, to }) => from <= knownThroughBlock + 1 && to > knownThroughBlock,
    );
    if (next !== undefined) knownThroughBlock = next.to;
  }

  function missingRangesOf({ name, firstBlock }: CoveredSource, { from, to }: Range): Range[] {
    const first = Math.max(from, firstBlock);
    return first > to ? [] : missingIn(covered.get(name) ?? [], { from: first, to });
  }

  const missingRanges = (range: Range): Range[] => [
    ...allSources.flatMap((part) => missingRangesOf(part, range)).reduce<Ranges>(addRange, []),
  ];

  /**
   * Finds out whether the logs that will be indexed again are all there, and has the blocks that lost some read again. Returns
   * whether there are such blocks.
   */
  async function checkStored(stored: readonly Child[]): Promise<boolean> {
    const { chainId } = sources;
    const from = (await lacksChildren(database, chainId, stored))
      ? 0
      : await readBlockAt(database, chainId, await readIndexedTime());
    const losses = await findLosses(database, chainId, { from, log });
    if (losses.length === 0) return false;
    log(`history: ${inWords(losses)}: reading these again`, "warn");
    await markUnread(database, chainId, losses);
    return true;
  }

  /** Before an index is made again because tokens' values differ, compares what is stored of these with the chain. */
  async function compareTokens(): Promise<void> {
    const { chainId } = sources;
    const { tokens, fromBlock } = await readTokensToCompare(database, { chainId, schema: deps.schema });
    if (tokens.length === 0 || (await readIndexedTime()) > 0) return;
    const final = await findFinal(0);
    const range = { from: fromBlock, to: final.number };
    log(`history: reading all events of ${tokens.join(", ")} again, whose values differ from the contracts'`);
    const reader = createLogReader(pool, 1);
    reader.setFinal(final);
    const tokenDeps = { pool, database, sources, children, logs: reader, signal: stopping.signal };
    const { missing, foreign } = await rereadTokens(tokenDeps, tokens, range);
    log(`history: ${missing} of their logs were missing, and ${foreign} were not on the chain`);
  }

  async function load(): Promise<void> {
    await createWindowsTable(database);
    await createCreationsIndex(database);
    // Before the children, because another process may be adding to all of them.
    const coverage = await readCoverage(database, sources.chainId);
    const through = await readKnownThrough(database, sources);
    const stored = await readChildren(database, sources);
    if (await checkStored(stored)) return await load();
    const restored = await restoreChildList(database, sources, stored, through);
    if (restored > 0)
      log(`history: ${restored} tokens and pairs were missing in Ponder's list, and are in it again`, "warn");
    for (const [name, ranges] of coverage) covered.set(name, ranges);
    know(stored, through);
    await compareTokens();
  }

  /** Adds stored tokens and pairs, which are all that were created up to a block. */
  function know(stored: readonly Child[], through: number): void {
    for (const child of stored) children.add(child);
    knownThroughBlock = Math.max(knownThroughBlock, through);
    extendKnown();
  }

  /**
   * Learns the tokens and pairs that another process has stored since they were loaded here: Ponder then asks from the block after those
   * that it has by now, and what is read from there on would lack their events.
   */
  async function learnStored(): Promise<void> {
    const through = await readKnownThrough(database, sources);
    know(await readChildren(database, sources), through);
  }

  /** Fills all final blocks from a block on, retrying until it succeeds. */
  async function fillFrom(from: number, atLeast: number): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (from > knownThroughBlock + 1) await learnStored();
        const final = await findFinal(atLeast);
        logs.setFinal(final);
        const ranges = missingRanges({ from, to: final.number });
        progress.wanted = progress.blocks + countBlocks(ranges);
        await fill(ranges, stopping.signal);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        onFailure(error);
        await pause(retryMs, stopping.signal);
      }
    }
  }

  /** Loads what earlier runs have stored, once. */
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
      progressed.notify();
    });
  }

  return {
    /** Loads what is stored, unless the database is new. Must resolve before Ponder reads which blocks it has. */
    async open(): Promise<void> {
      if (loading === undefined && (await isNew(database))) return;
      await loadOnce();
    },
    load: loadOnce,
    knownThrough: () => knownThroughBlock,

    /** Since startup: blocks and events stored, and the total number of blocks to store. */
    progress,

    /** Starts reading a new database's first blocks while Ponder creates its tables, all in one transaction. They are stored then. */
    async readAhead(): Promise<void> {
      if (!(await isNew(database))) return;
      startFilling(0, 0);
      while (!stopping.signal.aborted && (await isNew(database))) await pause(lookMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await loadOnce();
      tablesReady.resolve();
    },

    /** Resolves once a range of final blocks is stored. */
    async ensure(range: Range): Promise<void> {
      await loadOnce();
      tablesReady.resolve();
      while (missingRanges(range).length > 0) {
        stopping.signal.throwIfAborted();
        startFilling(range.from, range.to);
        await progressed.next();
      }
    },

    /**
     * Reads the final blocks again that Ponder has followed, and stores what their single answers lacked. From then on, they are
     * covered as other history is.
     */
    async reread(): Promise<void> {
      await loadOnce();
      const through = await readFollowedThrough(database, sources);
      if (missingRanges({ from: 0, to: through }).length === 0) return;
      // Not what the endpoints call final now, since they may have replaced final blocks.
      const final = deps.lastFinal();
      if (final === undefined) return;
      const to = Math.min(through, final.number);
      try {
        await rereadRanges(missingRanges({ from: 0, to }), final, stopping.signal);
      } catch (error) {
        if (error instanceof ChainConflict) await deps.isSameChain();
        throw error;
      }
    },

    /** Stops after the windows that are being stored. */
    async stop(): Promise<void> {
      stopping.abort();
      tablesReady.resolve();
      await filling;
    },
  };
}
