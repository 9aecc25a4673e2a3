import { numberToHex } from "../hex.ts";
import type { LogReader } from "../history/read-logs.ts";
import type { Children } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import { checkLogs, type Hex, type Range } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, headerByNumber, numberOf } from "./block.ts";
import { isInBloom, readBloom } from "./bloom.ts";

export type ChildDiscoveryOptions = {
  ask: Ask;
  /** Reads logs of a range in as many requests as its endpoints' limits demand. */
  read: LogReader["read"];
  children: Children;
  sources: Sources;
  /** The block up to which history has learned all tokens and pairs. */
  knownThrough: () => number;
  /** The hash of a block on the canonical branch, if it is in memory. */
  hashAt: (number: number) => Hex | undefined;
};

export type ChildDiscovery = ReturnType<typeof createChildDiscovery>;

const maxRememberedBlocks = 2_048;

/**
 * Makes sure that all tokens and pairs created before a block are known, so that none of their events in it is missed. Tracks
 * this by block hash, since another branch creates others.
 */
export function createChildDiscovery({
  ask,
  read,
  children,
  sources,
  knownThrough,
  hashAt,
}: ChildDiscoveryOptions) {
  const creationEvents = [
    [sources.tokenFactory, eventTopics.tokenCreated],
    [sources.launchpad, eventTopics.graduated],
  ] as const;
  const filter = {
    addresses: creationEvents.map(([contract]) => contract),
    topics: creationEvents.map(([, topic]) => topic),
  };
  /** Blocks up to and including which all creations are known. */
  const coveredBlocks = new Set<Hex>();
  let previousCover: Promise<unknown> = Promise.resolve();

  /** The block up to which the creations of the canonical branch have been read. */
  let readThrough = -1;

  /** The first block before this one whose creations may be unknown; this block's own number if there is none. */
  function firstUnknown({ number, parentHash }: Header): number {
    if (coveredBlocks.has(parentHash)) return Number(number);
    const parent = Number(number) - 1;
    const isOther = (hashAt(parent) ?? parentHash) !== parentHash;
    return Math.max(sources.startBlock, knownThrough() + 1, isOther ? 0 : readThrough + 1);
  }

  /** Whether a block may have created a token or a pair, according to its bloom. */
  function mayCreateChildren({ logsBloom }: Header): boolean {
    const bloom = readBloom(logsBloom);
    return creationEvents.some(([contract, topic]) => isInBloom(bloom, contract) && isInBloom(bloom, topic));
  }

  /** Marks linked blocks as covered while their blooms rule out creations. Returns the first block that may have some. */
  function skipWithoutCreations(headers: readonly Header[]): Header | undefined {
    return headers.find((header) => {
      if (!coveredBlocks.has(header.parentHash) || mayCreateChildren(header)) return true;
      coveredBlocks.add(header.hash);
      return false;
    });
  }

  /** Reads the creations of a range from an endpoint whose block at its end has this hash. Returns false if none has it. */
  async function learn(range: Range, end: Hex, signal: AbortSignal | undefined): Promise<boolean> {
    const { addresses, topics } = filter;
    const params = [
      {
        ...{ address: addresses, topics: [topics] },
        ...{ fromBlock: numberToHex(range.from), toBlock: numberToHex(range.to) },
      },
    ];
    const isOnBranch = (block: unknown) => (block as Header | null)?.hash === end;
    // If the range seems to have no logs, the last block's logs show whether the endpoint has any yet.
    const logsOfEnd = { method: "eth_getLogs", params: [{ blockHash: end }] };
    const calls = [{ method: "eth_getLogs", params }, headerByNumber(range.to), logsOfEnd];
    try {
      const sent = await ask(calls, {
        number: range.to,
        signal,
        check: ([logs, block, ofEnd]) => {
          if (!isOnBranch(block)) throw new LacksBlock();
          const found = checkLogs(logs, filter, range);
          const hasLogs = BigInt((block as Header).logsBloom) !== 0n;
          if (found.length === 0 && hasLogs && isEmpty(ofEnd)) throw new LacksBlock();
        },
      });
      if (sent === null) return false;
      children.learn(checkLogs(sent.results[0], filter, range));
      return true;
    } catch (error) {
      if (signal?.aborted) throw error;
      // Too much for one request.
      children.learn(await read(filter, range));
      const sent = await ask([headerByNumber(range.to)], { number: range.to, signal, check: () => {} });
      return isOnBranch(sent?.results[0]);
    }
  }

  return {
    /** The number of blocks that would have to be read before this one can be prepared. */
    countUnread: (header: Header): number => Math.max(0, numberOf(header) - firstUnknown(header)),

    /**
     * Learns what was created before the last of these linked blocks, for all of them at once.
     *
     * @returns false if no endpoint has this branch
     */
    async cover(headers: readonly Header[], signal?: AbortSignal): Promise<boolean> {
      const last = headers.at(-1);
      if (last === undefined || coveredBlocks.has(last.parentHash)) return true;
      // In turn: the first mostly reads what the next ones need.
      const covering = previousCover.then(async () => {
        const next = skipWithoutCreations(headers.slice(0, -1));
        const [from, to] = [firstUnknown(next ?? last), numberOf(last) - 1];
        if (from <= to) {
          if (!(await learn({ from, to }, last.parentHash, signal))) return false;
          const isFollowed = (hashAt(to) ?? last.parentHash) === last.parentHash;
          if (isFollowed) readThrough = Math.max(readThrough, to);
        }
        for (const { parentHash } of headers) coveredBlocks.add(parentHash);
        return true;
      });
      previousCover = covering.catch(reportedToItsCaller);
      return await covering;
    },

    /** Forgets what was read of an abandoned branch. */
    restart(): void {
      readThrough = -1;
    },

    /** Records that a block's own creations, too, have been learned, from its logs. The block must have been covered. */
    markLearned({ hash }: Header): void {
      coveredBlocks.add(hash);
      for (const oldest of coveredBlocks) {
        if (coveredBlocks.size <= maxRememberedBlocks) break;
        coveredBlocks.delete(oldest);
      }
    },
  };
}

const isEmpty = (logs: unknown): boolean => !Array.isArray(logs) || logs.length === 0;

/** The next call proceeds whether or not the previous one failed. */
const reportedToItsCaller = () => {};
