import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { EndpointFault } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import { finalityBlocks } from "../pool/anchor.ts";
import type { Children } from "../sources/children.ts";
import { checkLogs, getLogs, type Hex, type Log, type Range, rangeSize, splitRange } from "../sources/log.ts";
import { childTopics } from "../sources/sources.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, headerByNumber, numberOf, type PreparedBlock, readHeader } from "./block.ts";
import { checkWitness, isWitnessed, roomFor, witnessCall } from "./block-logs.ts";
import { readBloom } from "./bloom.ts";
import type { Heads } from "./heads.ts";
import { type CandidateFinder, inLowerCase } from "./prepare-block.ts";

export type SleepersOptions = {
  ask: Ask;
  heads: Pick<Heads, "forLogs">;
  children: Pick<Children, "isIndexed">;
  candidates: Pick<CandidateFinder, "asleepSince" | "wake">;
  /** The hash of a block on the canonical branch, if it is in memory. */
  hashAt: (number: number) => Hex | undefined;
  /** Called with the logs that blocks were prepared without. No block follows before it resolves. */
  onFound: (logs: readonly FoundLogs[]) => Promise<void>;
  log: (line: string, level?: "warn") => void;
};

export type FoundLogs = { header: Header; logs: readonly Log[] };

/** Blocks before the end of the time to take blocks back that a search begins, and at which new blocks wait for its end. */
const beginBefore = 8;
export const waitBefore = 3;
/** Searches that fail before blocks no longer wait. What is missing then is found when the blocks are final and read again. */
const maxAttempts = 5;
/** Filters in a batch: each may have a thousand addresses. */
const filtersPerRequest = 5;
const searchMs = 30_000;
/** Milliseconds after which a search begins if too few blocks come, and after one that failed. */
const maxRestMs = 15_000;
const retryMs = 1_000;
const maxRemembered = 1_024;
const maxBehind = 200;

type Block = {
  header: Header;
  turn: number;
  /** The newest block when it was noted. Blocks far below it fill a gap, such as that of an outage. */
  newest: number;
};

/**
 * Looks for the events of the tokens and pairs that were left out when blocks were prepared, because they had none in the last day:
 * with ranges of blocks, before Ponder takes these for final. Blocks that have such events are indexed again.
 */
export function createSleepers(options: SleepersOptions) {
  const { ask, heads, children, candidates, hashAt, onFound, log } = options;
  /** Blocks that sleepers were left out of, and that haven't been searched. */
  const unsearched = new LRUCache<Hex, Block>({ max: maxRemembered });
  /** What searches have found, by block. */
  const logsByBlock = new LRUCache<Hex, readonly Log[]>({ max: maxRemembered });
  const searched = new LRUCache<Hex, true>({ max: maxRemembered });
  let newest = -1;
  let running: Promise<boolean> | undefined;
  let resting: NodeJS.Timeout | undefined;

  const isOurs = ({ header }: Block) => (hashAt(numberOf(header)) ?? header.hash) === header.hash;
  /** In ascending order. */
  const pending = () =>
    [...unsearched.values()].filter(isOurs).toSorted((a, b) => numberOf(a.header) - numberOf(b.header));

  /** The logs of some addresses in these blocks, by the block's hash. Resolves to null if no endpoint has this branch. */
  async function readLogs(
    addresses: readonly Hex[],
    blocks: readonly Block[],
  ): Promise<Map<Hex, Log[]> | null> {
    const hashes = new Map(blocks.map(({ header }) => [numberOf(header), header.hash]));
    const end = (blocks.at(-1) as Block).header;
    const endpoints = heads.forLogs(numberOf(end));
    const size = Math.max(1, Math.min(...endpoints.map(({ limits }) => limits.blocks)));
    const ranges = rangesOf([...hashes.keys()], finalityBlocks);
    const parts = ranges
      .flatMap((range) => splitRange(range, size))
      .flatMap((part) =>
        chunk(chunk(addresses, roomFor(endpoints)), filtersPerRequest).map((filters) => ({ part, filters })),
      );
    const signal = AbortSignal.timeout(searchMs);
    const answers = await Promise.all(
      parts.map(({ part, filters }) => readPart(part, filters, { end, hashes, signal })),
    );
    if (!answers.every((logs) => logs !== null)) return null;
    const indexed = answers
      .flat()
      .filter((log) => children.isIndexed(log) && hashes.has(Number(log.blockNumber)))
      .map(inLowerCase);
    return Map.groupBy(indexed, ({ blockHash }) => blockHash);
  }

  /** One request. The end of the branch comes first: whoever has it before looking for the logs has looked in all blocks. */
  async function readPart(
    range: Range,
    filters: readonly Hex[][],
    { end, hashes, signal }: { end: Header; hashes: ReadonlyMap<number, Hex>; signal: AbortSignal },
  ): Promise<Log[] | null> {
    const most = Math.max(...filters.map(({ length }) => length));
    const hasWitness = isWitnessed(readBloom(end.logsBloom));
    const calls = [
      // A header lists the hashes of all transactions.
      hasWitness ? witnessCall(numberOf(end)) : headerByNumber(numberOf(end)),
      ...filters.map((addresses) => getLogs({ addresses, topics: childTopics }, range)),
    ];
    const sent = await ask(calls, {
      number: numberOf(end),
      signal,
      isTogether: true,
      canAsk: ({ limits }) => limits.addresses >= most && limits.blocks >= rangeSize(range),
      onFault: (fault, { limits }) => limits.learn(fault, { addresses: most, blocks: rangeSize(range) }),
      check: ([first, ...answers]) => {
        if (hasWitness) checkWitness(first, end.hash);
        else if (first === null || readHeader(first, { number: numberOf(end) }).hash !== end.hash)
          throw new LacksBlock();
        for (const [index, answer] of answers.entries()) {
          const logs = checkLogs(answer, { addresses: filters[index] ?? [], topics: childTopics }, range);
          const isOther = ({ blockNumber, blockHash }: Log) =>
            (hashes.get(Number(blockNumber)) ?? blockHash) !== blockHash;
          if (logs.some(isOther)) throw new LacksBlock();
        }
      },
    });
    return sent && (sent.results.slice(1) as Log[][]).flat();
  }

  /** Searches all pending blocks. Returns false if no endpoint has them any more. */
  async function search(): Promise<boolean> {
    const blocks = pending();
    if (blocks.length === 0) return true;
    const addresses = candidates.asleepSince(Math.min(...blocks.map(({ turn }) => turn)));
    const logs = addresses.length === 0 ? new Map() : await readLogs(addresses, blocks);
    if (logs === null) return false;
    for (const { header } of blocks) {
      unsearched.delete(header.hash);
      searched.set(header.hash, true);
    }
    await report(blocks, logs);
    return true;
  }

  async function report(blocks: readonly Block[], logs: ReadonlyMap<Hex, Log[]>): Promise<void> {
    const all = blocks.flatMap(({ header }): FoundLogs[] => {
      const ofBlock = logs.get(header.hash);
      return ofBlock === undefined ? [] : [{ header, logs: ofBlock }];
    });
    for (const { header, logs } of all) {
      logsByBlock.set(header.hash, [...(logsByBlock.get(header.hash) ?? []), ...logs]);
      candidates.wake(
        logs.map(({ address }) => address),
        Number(header.timestamp),
      );
    }
    if (all.length > 0) await onFound(all);
  }

  /** Starts a search unless one is running. Resolves to whether it has searched all blocks that were pending. */
  function start(): Promise<boolean> {
    if (running !== undefined) return running;
    clearTimeout(resting);
    resting = undefined;
    running = search()
      .catch((error: unknown) => {
        if (!(error instanceof EndpointFault))
          log(`events of sleeping tokens: ${(error as Error).message}`, "warn");
        return false;
      })
      .then((isDone) => {
        running = undefined;
        if (!isDone) beginAfter(retryMs);
        return isDone;
      });
    return running;
  }

  function beginAfter(milliseconds: number): void {
    resting ??= setTimeout(() => void start(), milliseconds).unref();
  }

  /** How many blocks the first pending one is behind a block. Those that fill a gap are searched before Ponder gets them. */
  function span(header: Header): number {
    const first = pending().find((block) => numberOf(block.header) >= block.newest - finalityBlocks);
    return first === undefined ? 0 : numberOf(header) - numberOf(first.header);
  }

  return {
    /** Notes a block that has been prepared. */
    note({ header, turn }: PreparedBlock): void {
      if (turn === undefined || searched.has(header.hash)) return;
      newest = Math.max(newest, numberOf(header));
      unsearched.set(header.hash, { header, turn, newest });
      // Of branches that were abandoned long ago.
      for (const [hash, block] of unsearched.entries())
        if (block.newest < newest - maxBehind) unsearched.delete(hash);
      beginAfter(maxRestMs);
      if (span(header) >= finalityBlocks - beginBefore) void start();
    },

    /** What was found in a block that had been prepared without it. */
    foundIn: (hash: Hex): readonly Log[] => logsByBlock.get(hash) ?? [],

    /** Looks for what tokens that were asleep until this block had in the blocks before it. */
    async wake(addresses: readonly Hex[], header: Header): Promise<void> {
      const blocks = pending().filter((block) => numberOf(block.header) < numberOf(header));
      if (blocks.length === 0 || addresses.length === 0) return;
      const logs = await readLogs(addresses, blocks).catch(() => null);
      if (logs !== null) await report(blocks, logs);
    },

    /** Waits for a search if a new block would come so long after the blocks to search that they couldn't be indexed again. */
    async untilSearched(header: Header): Promise<void> {
      for (let attempt = 0; span(header) >= finalityBlocks - waitBefore; attempt++) {
        if (attempt === maxAttempts) {
          log("events of sleeping tokens can't be read: they will be added to the history", "warn");
          return unsearched.clear();
        }
        if (!(await start())) await delay(retryMs);
      }
    },

    stop(): void {
      clearTimeout(resting);
      unsearched.clear();
    },

    /** Searches everything up to now. */
    async settle(): Promise<void> {
      for (let attempt = 0; pending().length > 0 && attempt < maxAttempts; attempt++) await start();
    },
  };
}

/** Ranges with all of these ascending blocks, and without any longer gap between them: Ponder fills it after an outage. */
function rangesOf(blocks: readonly number[], longestGap: number): Range[] {
  const ranges: Range[] = [];
  for (const block of blocks) {
    const last = ranges.at(-1);
    if (last !== undefined && block - last.to <= longestGap) last.to = block;
    else ranges.push({ from: block, to: block });
  }
  return ranges;
}
