import type pg from "pg";
import { wrong } from "../endpoint/fault.ts";
import { readHeader } from "../live/block.ts";
import type { Children } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import { type Hex, hasTimestamp, type Log, logsWithout, type Range } from "../sources/log.ts";
import { addressIn, childFromLog, type Sources, staticEvents } from "../sources/sources.ts";
import { type CoveredSource, readsChildren } from "./coverage.ts";
import { readStoredRange } from "./stored-events.ts";

const { tokenCreated, curveOpened, trade, graduated, transfer, sync, swap, mint, burn } = eventTopics;

/**
 * Checks that events are complete, as far as they show it: some never come alone in a transaction. A curve trade or a creation
 * transfers the token; the launchpad transfers a token only when it opens its curve, trades or graduates it; a graduation gives
 * a pair its first liquidity; a swap, and adding or removing liquidity, change a pair's reserves, and the latter two move its
 * liquidity tokens. Logs with different hashes for the same block come from different chains, and a block has one time.
 *
 * @param logs all events of the launchpad, its tokens and pairs in some range of blocks
 * @throws EndpointFault of kind "wrong", naming the block
 */
export function checkEvents(
  sources: Sources,
  { tokenOf }: Pick<Children, "tokenOf">,
  logs: readonly Log[],
): void {
  const isPair = (address: Hex) => tokenOf(address.toLowerCase() as Hex) !== undefined;
  const hashes = new Map<Hex, Hex>();
  const times = new Map<Hex, number>();
  const seen = new Set<string>();
  for (const log of logs) {
    const { blockNumber, blockHash, transactionHash, address, topics } = log;
    if (hasTimestamp(log)) {
      const time = Number(log.blockTimestamp);
      if ((times.get(blockNumber) ?? time) !== time) throw wrongBlock(blockNumber, "has two times");
      times.set(blockNumber, time);
    }
    const hash = hashes.get(blockNumber);
    if (hash !== undefined && hash !== blockHash) throw wrongBlock(blockNumber, "has two hashes");
    hashes.set(blockNumber, blockHash);
    seen.add(key(transactionHash, address, topics[0]));
  }
  for (const log of logs) {
    for (const [address, topics] of companionsOf(sources, isPair, log)) {
      if (topics.some((topic) => seen.has(key(log.transactionHash, address, topic)))) continue;
      throw wrongBlock(log.blockNumber, `lacks what comes with log ${Number(log.logIndex)}`);
    }
  }
}

/**
 * Checks that an answer's logs are from a chain that has the range's last block, and that time doesn't run backwards there.
 *
 * @throws EndpointFault of kind "wrong"
 */
export function checkLast(last: unknown, logs: readonly Log[], number: number): void {
  const { hash, timestamp } = readHeader(last, { number });
  if (logs.some((log) => Number(log.blockNumber) === number && log.blockHash !== hash))
    throw wrong(`logs of another block ${number} than its own`);
  const timed = logs
    .filter(hasTimestamp)
    .map((log) => ({ block: Number(log.blockNumber), time: Number(log.blockTimestamp) }))
    .toSorted((a, b) => a.block - b.block);
  for (const [index, { block, time }] of timed.entries()) {
    const previous = timed[index - 1];
    if (previous !== undefined && (previous.block === block ? previous.time !== time : previous.time > time))
      throw wrong(`a time of block ${block} that does not follow block ${previous.block}`);
    if (time > Number(timestamp)) throw wrong(`a time of block ${block} after that of block ${number}`);
  }
}

/** The events that must come with a log in the same transaction: for each contract, one of the listed topics. */
function companionsOf(sources: Sources, isPair: (address: Hex) => boolean, log: Log): [Hex, Hex[]][] {
  const { launchpad } = sources;
  const [topic] = log.topics;
  const child = childFromLog(sources, log);
  if (child !== undefined) {
    return topic === tokenCreated
      ? [
          [launchpad, [curveOpened]],
          [child.address, [transfer]],
        ]
      : [
          [child.address, [sync]],
          [child.address, [mint]],
        ];
  }
  if (topic === trade && log.address.toLowerCase() === launchpad) {
    return [[addressIn(log.topics[1]), [transfer]]];
  }
  if (topic === transfer && addressIn(log.topics[1]) === launchpad && !isPair(log.address))
    return [[launchpad, [curveOpened, trade, graduated]]];
  if (topic === swap) return [[log.address, [sync]]];
  if (topic === mint || topic === burn)
    return [
      [log.address, [sync]],
      [log.address, [transfer]],
    ];
  return [];
}

const key = (transaction: Hex, address: Hex, topic: Hex = "0x") =>
  `${transaction}${address.toLowerCase()}${topic}`;

const wrongBlock = (block: Hex, what: string) => wrong(`block ${Number(block)} ${what}`);

/** How the logs that Ponder stored of a window while it followed the chain differ from the chain's. */
export type Difference = {
  window: Range;
  /** Logs that the chain has, and that were not stored as they are there. */
  missing: Log[];
  /** Stored logs that the chain does not have. */
  foreign: Log[];
};

type CompareOptions = {
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
  const ofSettings = staticEvents(sources);
  const addresses = new Set<Hex>(parts.flatMap((part) => part.addresses));
  const wasRead = (log: Log) =>
    ofSettings.has(log.address)
      ? addresses.has(log.address)
      : readsChildren(parts) && children.isIndexed(log);
  const missing = logsWithout(logs, stored);
  const foreign = logsWithout(stored.filter(wasRead), logs);
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
