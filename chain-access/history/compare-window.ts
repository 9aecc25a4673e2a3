import type pg from "pg";
import type { Children } from "../sources/children.ts";
import type { Hex, Log, Range } from "../sources/log.ts";
import { type Sources, staticEvents } from "../sources/sources.ts";
import { type CoveredSource, readsChildren } from "./coverage.ts";
import { keyOf } from "./second-opinion.ts";
import { readStoredRange } from "./stored-events.ts";

/** How the logs that Ponder stored of a window while it followed the chain differ from the chain's. */
export type Difference = {
  window: Range;
  /** Logs that the chain has, and that were not stored as they are there. */
  missing: Log[];
  /** Stored logs that the chain does not have. */
  foreign: Log[];
};

export type CompareOptions = {
  database: Pick<pg.Pool, "query">;
  sources: Sources;
  children: Children;
  window: Range;
  /** The parts of history whose logs were read. */
  parts: readonly CoveredSource[];
  logs: readonly Log[];
};

/** Compares the logs of a window with the stored ones. Returns undefined if they are the same. */
export async function compareWindow(options: CompareOptions): Promise<Difference | undefined> {
  const { database, sources, children, window, parts, logs } = options;
  const stored = await readStoredRange(database, sources.chainId, window);
  const [storedKeys, keys] = [new Set(stored.map(keyOf)), new Set(logs.map(keyOf))];
  const ofSettings = staticEvents(sources);
  const addresses = new Set<Hex>(parts.flatMap((part) => part.addresses));
  const wasRead = (log: Log) =>
    ofSettings.has(log.address)
      ? addresses.has(log.address)
      : readsChildren(parts) && children.isIndexed(log);
  const missing = logs.filter((log) => !storedKeys.has(keyOf(log)));
  const foreign = stored.filter((log) => wasRead(log) && !keys.has(keyOf(log)));
  return missing.length + foreign.length === 0 ? undefined : { window, missing, foreign };
}

/** Describes a difference in words. */
export function describeDifference({ window: { from, to }, missing, foreign }: Difference): string {
  const [first] = [...missing, ...foreign];
  return (
    `blocks ${from} to ${to}, which were followed, had ${inWords(missing, "missing log")} and ` +
    `${inWords(foreign, "log")} that the chain does not have, the first of them of ${first?.address} in block ` +
    `${Number(first?.blockNumber)}`
  );
}

const inWords = ({ length }: readonly unknown[], noun: string) =>
  `${length} ${noun}${length === 1 ? "" : "s"}`;
