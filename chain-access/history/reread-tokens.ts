import type pg from "pg";
import { chunk } from "../chunk.ts";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import type { Hex, Range } from "../sources/log.ts";
import { childFromLog, childTopics, type Sources, staticTopics } from "../sources/sources.ts";
import type { LogReader } from "./read-logs.ts";
import { readTimestamps } from "./read-timestamps.ts";
import { findAbsent } from "./read-whole-block.ts";
import { keyOf } from "./second-opinion.ts";
import { deleteLogs, readStoredAbout } from "./stored-events.ts";
import { forgetIntervals } from "./stored-windows.ts";
import { storeEvents } from "./sync-store.ts";
import { inTransaction } from "./transaction.ts";
import { createWindowSizes } from "./window-sizes.ts";

export type RereadTokensDeps = {
  pool: Pool;
  database: pg.Pool;
  sources: Sources;
  /** Has to know the tokens and their pairs. */
  children: Children;
  logs: Pick<LogReader, "read">;
  signal: AbortSignal;
};

/** How many logs of tokens were missing in what was stored, or were stored without being on the chain. */
export type Correction = { missing: number; foreign: number };

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
    const sizes = createWindowSizes(false);
    for (let from = range.from; from <= range.to; ) {
      deps.signal.throwIfAborted();
      const window = sizes.next({ from, to: range.to });
      const { read, missing, foreign } = await correctWindow(deps, some, window);
      sizes.learn(window, read, 0);
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
  const [storedKeys, keys] = [new Set(stored.map(keyOf)), new Set(logs.map(keyOf))];
  const missing = logs.filter((log) => !storedKeys.has(keyOf(log)));
  const foreign = await findAbsent(
    pool,
    stored.filter((log) => !keys.has(keyOf(log))),
  );
  if (missing.length + foreign.length > 0) {
    const timestamps = await readTimestamps(pool, missing, window.from);
    // Before they are stored, since nothing would be missing any more after an interruption.
    if (missing.some((log) => childFromLog(sources, log) !== undefined))
      await forgetIntervals(database, chainId, [window]);
    await inTransaction(database, async (client) => {
      await deleteLogs(client, chainId, foreign);
      await storeEvents(client, { chainId, logs: missing, timestamps });
    });
  }
  return { read: logs.length, missing: missing.length, foreign: foreign.length };
}
