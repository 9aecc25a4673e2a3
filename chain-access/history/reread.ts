import type pg from "pg";
import { chunk } from "../endpoint/limits.ts";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import { type Hex, logsWithout, type Range } from "../sources/log.ts";
import { childFromLog, childTopics, type Sources, staticTopics } from "../sources/sources.ts";
import { compareWindow, type Difference } from "./check-events.ts";
import { type CoveredSource, readsChildren } from "./coverage.ts";
import { createFill, createWindowSizes } from "./fill.ts";
import { createLogReader, type LogReader } from "./read-logs.ts";
import { createWindowReader, findAbsent, readTimestamps, type WindowEvents } from "./read-window.ts";
import { inTransaction, storeEvents } from "./store-window.ts";
import { readStoredAbout } from "./stored-events.ts";
import { deleteForeign, forgetIntervals } from "./window-counts.ts";

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
    return await reader.read(staticLogs, window, { withChildren: readsChildren(parts) });
  }

  async function confirmDifference(suspected: Difference | undefined): Promise<Difference | undefined> {
    if (suspected === undefined) return undefined;
    if (!(await isSameChain())) throw new Error("the endpoints lack the last final block");
    const difference = { ...suspected, foreign: await findAbsent(pool, suspected.foreign) };
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
    kind: () => "background",
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

type RereadTokensDeps = {
  pool: Pool;
  database: pg.Pool;
  sources: Sources;
  /** Has to know the tokens and their pairs. */
  children: Children;
  logs: Pick<LogReader, "read" | "maxBlocks">;
  signal: AbortSignal;
};

/** How many logs of tokens were missing in what was stored, or were stored without being on the chain. */
type Correction = { missing: number; foreign: number };

/** Tokens that one request asks for. */
const maxTokens = 50;

/**
 * Reads all events of a few tokens again, by requests that name only these and their pairs, and corrects what is stored. Other
 * requests than those that history was read with are less likely to lose the same logs.
 *
 * @param range final blocks
 */
export async function rereadTokens(
  deps: RereadTokensDeps,
  tokens: readonly Hex[],
  range: Range,
): Promise<Correction> {
  const total: Correction = { missing: 0, foreign: 0 };
  for (const some of chunk(tokens, maxTokens)) {
    const sizes = createWindowSizes("usual");
    for (let from = range.from; from <= range.to; ) {
      deps.signal.throwIfAborted();
      const window = sizes.next({ from, to: range.to });
      const { read, missing, foreign } = await correctWindow(deps, some, window);
      sizes.learn(window, read, 0, deps.logs.maxBlocks());
      total.missing += missing;
      total.foreign += foreign;
      from = window.to + 1;
    }
  }
  return total;
}

async function correctWindow(
  deps: RereadTokensDeps,
  tokens: readonly Hex[],
  window: Range,
): Promise<Correction & { read: number }> {
  const { pool, database, sources, children, logs: reader } = deps;
  const { chainId, tokenFactory, launchpad } = sources;
  const topics = tokens.map((token): Hex => `0x${token.slice(2).padStart(64, "0")}`);
  const contracts = [tokenFactory, launchpad];
  const named = await reader.read({ addresses: contracts, topics: staticTopics, about: topics }, window);
  children.learn(named);
  const pairs = children.discovered.flatMap((child) =>
    child.type === "pair" && child.block <= window.to && tokens.includes(child.token) ? [child.address] : [],
  );
  const addresses = [...tokens, ...pairs];
  const emitted = await reader.read({ addresses, topics: childTopics }, window);
  const logs = [...named, ...emitted].filter(children.isIndexed);

  const stored = await readStoredAbout(database, chainId, { ...window, addresses, contracts, topics });
  const missing = logsWithout(logs, stored);
  const foreign = await findAbsent(pool, logsWithout(stored, logs));
  if (missing.length + foreign.length > 0) {
    const timestamps = await readTimestamps(pool, missing, window.from);
    // Before they are stored, since nothing would be missing any more after an interruption.
    if (missing.some((log) => childFromLog(sources, log) !== undefined))
      await forgetIntervals(database, chainId, [window]);
    await inTransaction(database, async (client) => {
      await deleteForeign(client, sources, foreign);
      await storeEvents(client, { chainId, logs: missing, timestamps });
    });
  }
  return { read: logs.length, missing: missing.length, foreign: foreign.length };
}
