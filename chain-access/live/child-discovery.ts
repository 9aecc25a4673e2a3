import { setTimeout as delay } from "node:timers/promises";
import { anySignal, ignore } from "../../config/async.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { finalityBlocks } from "../pool/anchor.ts";
import type { Children } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import {
  checkLogs,
  getLogs,
  type Hex,
  halvesOf,
  type Log,
  type Range,
  rangeSize,
  splitRange,
} from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, headerByHash, headerByNumber, numberOf, readHeader } from "./block.ts";
import { checkWitness, isWitnessed, witness, witnessCall } from "./block-logs.ts";
import { isInBloom, readBloom } from "./bloom.ts";
import type { Heads } from "./heads.ts";

export type ChildDiscoveryOptions = {
  ask: Ask;
  endpoints: readonly Endpoint[];
  heads: Heads;
  children: Children;
  sources: Sources;
  /** The block up to which history has learned all tokens and pairs. */
  knownThrough: () => number;
  /** The hash of a block on the canonical branch, if it is in memory. */
  hashAt: (number: number) => Hex | undefined;
};

export type ChildDiscovery = ReturnType<typeof createChildDiscovery>;

const maxRememberedBlocks = 2_048;
/** Milliseconds to wait for a second endpoint's answer. Without one, the first is accepted. */
const secondOpinionMs = 10_000;
/** Milliseconds in which it may still receive the block, and between attempts. */
const catchUpMs = 2_000;
const retryMs = 250;
/** Requests at once that search a long gap, as soon as one has shown how many blocks they may have. */
const partsAtOnce = 16;

/** Blocks whose creations are unknown. */
type Gap = {
  /** The last one's number and hash. */
  to: number;
  end: Hex;
  /** The blocks among them that may have creations, according to their blooms, where these are known. */
  announced: readonly number[];
  /** Whether the last one has the witness's log. */
  isWitnessed: boolean;
  signal: AbortSignal | undefined;
};

/** What one request is about: creations by these contracts, in these blocks of a gap. */
type Part = { range: Range; contracts: readonly Hex[] };

/**
 * Makes sure that all tokens and pairs created before a block are known, so that none of their events in it is missed. Tracks
 * this by block hash, since another branch creates others.
 */
export function createChildDiscovery({
  ask,
  endpoints,
  heads,
  children,
  sources,
  knownThrough,
  hashAt,
}: ChildDiscoveryOptions) {
  const creationEvents = [
    [sources.tokenFactory, eventTopics.tokenCreated],
    [sources.launchpad, eventTopics.graduated],
  ] as const;
  const creationTopics = creationEvents.map(([, topic]) => topic);
  const creators = creationEvents.map(([contract]) => contract);
  /** Blocks up to and including which all creations are known. */
  const coveredBlocks = new Set<Hex>();
  let previousCover: Promise<unknown> = Promise.resolve();

  /** The block up to which the creations of the canonical branch have been read. */
  let readThrough = -1;
  /** The same for final blocks, which all branches share. */
  let readFinalThrough = -1;

  /** The first block before this one whose creations may be unknown; this block's own number if there is none. */
  function firstUnknown({ number, parentHash }: Header): number {
    if (coveredBlocks.has(parentHash)) return Number(number);
    const parent = Number(number) - 1;
    const isOther = (hashAt(parent) ?? parentHash) !== parentHash;
    const finalThrough = Math.min(readFinalThrough, heads.reported - finalityBlocks);
    return Math.max(sources.startBlock, knownThrough() + 1, finalThrough + 1, isOther ? 0 : readThrough + 1);
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

  /** The endpoints whose limits decide how large requests about a gap are. */
  const ableToRead = ({ to }: Gap, not?: Endpoint) =>
    heads.forLogs(to).filter((endpoint) => endpoint !== not);

  const takeAnyAddress = (gap: Gap, not?: Endpoint): boolean =>
    ableToRead(gap, not).some(({ limits }) => limits.takesAnyAddress);

  /** The most blocks that a request about a gap may have. */
  function mostBlocks(gap: Gap): number {
    const needsAnyAddress = !gap.isWitnessed && takeAnyAddress(gap);
    const able = ableToRead(gap).filter(({ limits }) => !needsAnyAddress || limits.takesAnyAddress);
    return Math.max(1, ...able.map(({ limits }) => limits.blocks));
  }

  /** Whether a gap's last block has the witness's log: then not all of its logs are read with each part. */
  async function hasWitness({ to, end, signal }: Gap): Promise<boolean> {
    const sent = await ask([headerByHash(end)], {
      number: to,
      signal,
      check([header]) {
        if (header === null) throw new LacksBlock();
        readHeader(header, { hash: end });
      },
    });
    return sent !== null && isWitnessed(readBloom(readHeader(sent.results[0]).logsBloom));
  }

  /**
   * Learns the creations in a gap, from its first block on. What is read of its final blocks counts even if the rest fails: after an
   * outage of hours, the endpoint's limits may make the gap take longer than a block may. Resolves to false if no endpoint has its end.
   */
  async function readGap({ from, to }: Range, gap: Gap): Promise<boolean> {
    let asked = gap;
    let [size, atOnce] = [rangeSize({ from, to }), 1];
    for (let next = from; next <= to; ) {
      size = Math.min(size, mostBlocks(asked));
      const range = { from: next, to: Math.min(to, next + atOnce * size - 1) };
      try {
        const parts = splitRange(range, size).map((part) =>
          read({ range: part, contracts: creators }, asked),
        );
        const logs = await Promise.all(parts);
        if (!logs.every((some) => some !== null)) return false;
        children.learn(logs.flat());
      } catch (error) {
        if (gap.signal?.aborted && next > from)
          throw new Error(`${to + 1 - next} missed blocks are still to be searched for new tokens`);
        if (size === 1 || !isTooLong(error)) throw error;
        [size, atOnce] = [Math.floor(size / 2), 1];
        if (asked === gap) asked = { ...gap, isWitnessed: gap.isWitnessed || (await hasWitness(gap)) };
        continue;
      }
      const fastest = Math.max(...endpoints.map(({ rate }) => rate));
      [next, atOnce] = [range.to + 1, Math.max(1, Math.min(partsAtOnce, Math.floor(fastest)))];
      readFinalThrough = Math.max(readFinalThrough, Math.min(range.to, to - finalityBlocks));
    }
    return true;
  }

  /**
   * Reads the creations in a part of a gap from endpoints that have the gap's last block and its logs. Where they are doubtful, those
   * that another endpoint finds are added. Resolves to null if no endpoint has the block.
   *
   * @param not an endpoint that has been asked already: this is the other one's answer
   */
  async function read(part: Part, gap: Gap, not?: Endpoint): Promise<Log[] | null> {
    const { range, contracts } = part;
    const filter = { addresses: contracts, topics: creationTopics };
    // The last block and its logs come first: an endpoint that has them before it looks for creations has looked in all blocks.
    const takesAnyAddress = takeAnyAddress(gap, not);
    const addresses = takesAnyAddress ? undefined : [witness.address];
    const end = gap.isWitnessed
      ? [witnessCall(gap.to)]
      : [headerByNumber(gap.to), getLogs({ addresses }, { blockHash: gap.end })];
    const calls = [...end, getLogs(filter, range)];
    try {
      const sent = await ask(calls, {
        number: gap.to,
        signal: gap.signal,
        isTogether: true,
        canAsk: (endpoint) =>
          endpoint.limits.blocks >= rangeSize(range) &&
          (gap.isWitnessed || !takesAnyAddress || endpoint.limits.takesAnyAddress) &&
          (not === undefined || (endpoint !== not && endpoint.isHealthy)),
        onFault: (fault, { limits }) => limits.learn(fault, { blocks: rangeSize(range) }),
        check: (results) => {
          const [first, logs] = results;
          if (gap.isWitnessed) checkWitness(first, gap.end);
          else {
            if (first === null) throw new LacksBlock();
            const { hash, logsBloom } = readHeader(first, { number: gap.to });
            const mayHaveLogs = takesAnyAddress
              ? BigInt(logsBloom) !== 0n
              : isWitnessed(readBloom(logsBloom));
            if (hash !== gap.end || (mayHaveLogs && isEmpty(logs))) throw new LacksBlock();
          }
          checkLogs(results.at(-1), filter, range);
        },
      });
      if (sent === null) return null;
      const logs = checkLogs(sent.results.at(-1), filter, range);
      if (not !== undefined || !isDoubtful(logs, range, gap)) return logs;
      return [...logs, ...(await readElsewhere(part, gap, sent.endpoint))];
    } catch (error) {
      const isRefused = error instanceof EndpointFault && error.kind === "unfiltered";
      if (isRefused) return await read(part, gap, not);
      // Another endpoint may take fewer blocks than the first one.
      const parts = not === undefined && isTooLong(error) ? undefined : smallerParts(part, error);
      if (parts === undefined) throw error;
      const childrenOfParts = await Promise.all(parts.map((smaller) => read(smaller, gap, not)));
      return childrenOfParts.every((logs) => logs !== null) ? childrenOfParts.flat() : null;
    }
  }

  /**
   * Reads what another endpoint finds, if there is one. The first one is not reported if it lacked something: the backend that
   * answered may have been behind.
   */
  async function readElsewhere(part: Part, gap: Gap, first: Endpoint): Promise<Log[]> {
    const late = AbortSignal.timeout(secondOpinionMs);
    const signal = anySignal(late, gap.signal);
    const isAnother = (endpoint: Endpoint) =>
      endpoint !== first &&
      endpoint.excluded === undefined &&
      endpoint.isHealthy &&
      heads.mayHave(endpoint, gap.to);
    const startedAt = performance.now();
    while (endpoints.some(isAnother)) {
      const logs = await read(part, { ...gap, signal }, first).catch((error: unknown) => {
        gap.signal?.throwIfAborted();
        if (error instanceof EndpointFault || late.aborted) return null;
        throw error;
      });
      if (logs !== null) return logs;
      // The others don't have the last block yet, or don't answer.
      if (late.aborted || performance.now() - startedAt > catchUpMs) break;
      await delay(retryMs);
    }
    return [];
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
          const announced = headers.filter((header) => numberOf(header) <= to && mayCreateChildren(header));
          const parent = headers.find(({ hash }) => hash === last.parentHash);
          const gap = {
            to,
            end: last.parentHash,
            announced: announced.map(numberOf),
            isWitnessed: parent !== undefined && isWitnessed(readBloom(parent.logsBloom)),
            signal,
          };
          if (!(await readGap({ from, to }, gap))) return false;
          const isFollowed = (hashAt(to) ?? last.parentHash) === last.parentHash;
          if (isFollowed) readThrough = Math.max(readThrough, to);
        }
        for (const { parentHash } of headers) coveredBlocks.add(parentHash);
        return true;
      });
      // The next call proceeds whether or not the previous one failed.
      previousCover = covering.catch(ignore);
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

/** Whether an answer lacks creations that a bloom announces, or has none at all. */
const isDoubtful = (logs: readonly Log[], { from, to }: Range, { announced }: Gap): boolean => {
  const blocks = new Set(logs.map(({ blockNumber }) => Number(blockNumber)));
  return blocks.size === 0 || announced.some((block) => block >= from && block <= to && !blocks.has(block));
};

/** Whether no endpoint, or not the one that was asked, takes so many blocks. */
const isTooLong = (error: unknown): boolean =>
  error instanceof EndpointFault && (error.kind === "range" || error.kind === "unfit");

/** Returns what to ask for in place of a part that was too much for one request; undefined if it wasn't, or can't be less. */
function smallerParts({ range, contracts }: Part, error: unknown): Part[] | undefined {
  if (!(error instanceof EndpointFault)) return undefined;
  if (error.kind === "addresses" && contracts.length > 1)
    return contracts.map((contract) => ({ range, contracts: [contract] }));
  if (rangeSize(range) === 1 || !(error.kind === "results" || isTooLong(error))) return undefined;
  return halvesOf(range).map((half) => ({ range: half, contracts }));
}

const isEmpty = (logs: unknown): boolean => !Array.isArray(logs) || logs.length === 0;
