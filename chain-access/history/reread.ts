import type pg from "pg";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import type { Range } from "../sources/log.ts";
import { childFromLog, type Sources } from "../sources/sources.ts";
import { compareWindow, type Difference } from "./compare-window.ts";
import { type CoveredSource, readsChildren } from "./coverage.ts";
import { createFill } from "./fill.ts";
import { createLogReader } from "./read-logs.ts";
import { findAbsent } from "./read-whole-block.ts";
import { createWindowReader, type WindowEvents } from "./read-window.ts";
import { forgetIntervals } from "./stored-windows.ts";

export type RereadDeps = {
  pool: Pool;
  database: Pick<pg.Pool, "query">;
  sources: Sources;
  children: Children;
  partsMissing: (range: Range) => CoveredSource[];
  store: (
    window: Range,
    parts: readonly CoveredSource[],
    events: WindowEvents,
    reread: { difference: Difference | undefined },
  ) => Promise<void>;
  /** Whether the endpoints have the last final block that is indexed. Otherwise, blocks may have been replaced. */
  isSameChain: () => Promise<boolean>;
  /** Called once a difference is stored: the index was made without it. */
  onDifference: (difference: Difference) => void;
};

/**
 * Reads blocks again that Ponder has stored while it followed the chain: as history reads them, in ranges. A single answer about a
 * block may have lacked logs, and nothing else would ever contradict it. Each answer is compared with another endpoint's where there
 * is one, and what differs is read once more before it counts.
 */
export function createReread(deps: RereadDeps) {
  const { pool, database, sources, children, partsMissing, store, isSameChain, onDifference } = deps;
  // Whichever endpoint the blocks came from when they were new, at least one of two is another.
  const logs = createLogReader(pool, 1);
  const reader = createWindowReader({ pool, logs, sources, children });

  async function readAgain(window: Range, parts: readonly CoveredSource[]): Promise<WindowEvents> {
    const addresses = parts.flatMap((part) => part.addresses);
    const staticLogs = await reader.readStatic(addresses, window);
    children.learn(staticLogs);
    return await reader.read(staticLogs, window, readsChildren(parts));
  }

  async function confirmDifference(found: Difference | undefined): Promise<Difference | undefined> {
    if (found === undefined) return undefined;
    if (!(await isSameChain())) throw new Error("the endpoints lack the last final block");
    const difference = { ...found, foreign: await findAbsent(pool, found.foreign) };
    const { missing, foreign, window } = difference;
    if (missing.length + foreign.length === 0) return undefined;
    // Ponder learns of tokens and pairs only from what it asks for.
    if (missing.some((log) => childFromLog(sources, log) !== undefined))
      await forgetIntervals(database, sources.chainId, [window]);
    return difference;
  }

  const fill = createFill({
    reader,
    children,
    isFirst: () => false,
    sourcesMissing: partsMissing,
    async store(window, parts, first) {
      const compare = (events: WindowEvents) =>
        compareWindow({ database, sources, children, window, parts, logs: events.logs });
      const isSame = (await compare(first)) === undefined;
      const events = isSame ? first : await readAgain(window, parts);
      const difference = isSame ? undefined : await confirmDifference(await compare(events));
      await store(window, parts, events, { difference });
      if (difference !== undefined) onDifference(difference);
    },
  });

  return async (
    ranges: readonly Range[],
    final: Parameters<typeof logs.setFinal>[0],
    signal: AbortSignal,
  ) => {
    logs.setFinal(final);
    await fill(ranges, signal);
  };
}
