import { numberToHex } from "../hex.ts";
import type { LogReader } from "../history/read-logs.ts";
import type { Children } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import { checkLogs, type Hex, type Range } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, headerByNumber, numberOf } from "./block.ts";
import { isInBloom, readBloom } from "./bloom.ts";

export type BirthsOptions = {
  ask: Ask;
  /** Reads logs of a range in as many requests as its endpoints' limits demand. */
  read: LogReader["read"];
  children: Children;
  sources: Sources;
  /** The block up to which history has learned all births. */
  knownThrough: () => number;
  /** The hash of a block of the branch that is followed, if it is in memory. */
  hashAt: (number: number) => Hex | undefined;
};

export type Births = ReturnType<typeof createBirths>;

const kept = 2_048;

/**
 * Makes sure that all tokens and pairs are known that were created before a block, so that none of their events is missed.
 * Births are known by block hash, since another branch has others.
 */
export function createBirths({ ask, read, children, sources, knownThrough, hashAt }: BirthsOptions) {
  const births = [
    [sources.tokenFactory, eventTopics.tokenCreated],
    [sources.launchpad, eventTopics.graduated],
  ] as const;
  const filter = {
    addresses: births.map(([contract]) => contract),
    topics: births.map(([, topic]) => topic),
  };
  /** Blocks up to which, themselves included, all births are known. */
  const complete = new Set<Hex>();
  let turn: Promise<unknown> = Promise.resolve();

  /** Up to this block, those of the branch that is followed have been read. */
  let readThrough = -1;

  /** The first block whose births may be unknown, of those before this one. */
  function firstUnknown({ number, parentHash }: Header): number {
    if (complete.has(parentHash)) return Number(number);
    const parent = Number(number) - 1;
    const isOther = (hashAt(parent) ?? parentHash) !== parentHash;
    return Math.max(sources.startBlock, knownThrough() + 1, isOther ? 0 : readThrough + 1);
  }

  /** Whether a token or a pair may have been created in a block, by its bloom. */
  function mayHaveBirths({ logsBloom }: Header): boolean {
    const bloom = readBloom(logsBloom);
    return births.some(([contract, topic]) => isInBloom(bloom, contract) && isInBloom(bloom, topic));
  }

  /** Learns of linked blocks that nothing was created in them, as far as their blooms tell. Returns the first of the others. */
  function skipQuiet(headers: readonly Header[]): Header | undefined {
    return headers.find((header) => {
      if (!complete.has(header.parentHash) || mayHaveBirths(header)) return true;
      complete.add(header.hash);
      return false;
    });
  }

  /** Reads a range from an endpoint that has this block at its end. */
  async function learn(range: Range, end: Hex, signal: AbortSignal | undefined): Promise<boolean> {
    const { addresses, topics } = filter;
    const params = [
      {
        ...{ address: addresses, topics: [topics] },
        ...{ fromBlock: numberToHex(range.from), toBlock: numberToHex(range.to) },
      },
    ];
    const isOnBranch = (block: unknown) => (block as Header | null)?.hash === end;
    // The last block's logs, by which an endpoint that finds none is told from one that has none yet.
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
    /** How many blocks would have to be read for this one. */
    missing: (header: Header): number => Math.max(0, numberOf(header) - firstUnknown(header)),

    /**
     * Learns what was created before the last of these linked blocks, at once for all of them.
     *
     * @returns whether it is known now; false: no endpoint has this branch
     */
    async cover(headers: readonly Header[], signal?: AbortSignal): Promise<boolean> {
      const last = headers.at(-1);
      if (last === undefined || complete.has(last.parentHash)) return true;
      // One after the other: the first mostly reads what the others need.
      const covering = turn.then(async () => {
        const next = skipQuiet(headers.slice(0, -1));
        const [from, to] = [firstUnknown(next ?? last), numberOf(last) - 1];
        if (from <= to) {
          if (!(await learn({ from, to }, last.parentHash, signal))) return false;
          const isFollowed = (hashAt(to) ?? last.parentHash) === last.parentHash;
          if (isFollowed) readThrough = Math.max(readThrough, to);
        }
        for (const { parentHash } of headers) complete.add(parentHash);
        return true;
      });
      turn = covering.catch(reportedToItsCaller);
      return await covering;
    },

    /** Forgets what was read of a branch that has been left. */
    restart(): void {
      readThrough = -1;
    },

    /** Tells that the births of a block, which was covered, have been learned from its logs. */
    learned({ hash }: Header): void {
      complete.add(hash);
      for (const oldest of complete) {
        if (complete.size <= kept) break;
        complete.delete(oldest);
      }
    },
  };
}

const isEmpty = (logs: unknown): boolean => !Array.isArray(logs) || logs.length === 0;

/** The next one goes ahead whatever became of the one before. */
const reportedToItsCaller = () => {};
