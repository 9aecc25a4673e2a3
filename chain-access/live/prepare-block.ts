import type { Children } from "../sources/children.ts";
import type { Hex, Log } from "../sources/log.ts";
import { childFromLog, childTopics, type Sources, staticTopics } from "../sources/sources.ts";
import { swapsWithoutTransfer } from "../sources/swaps.ts";
import type { Ask } from "./ask.ts";
import { type Header, type PreparedBlock, toLiveBlock } from "./block.ts";
import { bloomWithout, readBloom } from "./bloom.ts";
import { createCandidates } from "./candidates.ts";
import { lacksTransfer, looksCut } from "./check-block.ts";
import type { ChildDiscovery } from "./child-discovery.ts";
import type { Heads } from "./heads.ts";
import { createReadBlockLogs } from "./read-block-logs.ts";

export type PrepareOptions = {
  ask: Ask;
  childDiscovery: ChildDiscovery;
  heads: Heads;
  children: Children;
  sources: Sources;
  /** Whether to read all logs of a block as a check, asked once per block with candidates. Default: true for one in a hundred. */
  shouldReadAll?: () => boolean;
};

/** Resolves to null if no endpoint has the block any more. */
export type PrepareBlock = (header: Header, signal?: AbortSignal) => Promise<PreparedBlock | null>;

const ourTopics = [...staticTopics, ...childTopics];
/** Addresses per request. If there are more, the logs of all contracts are requested. */
const maxAddresses = 1_000;

/** Reads everything about a block that Ponder may ask for, with as few requests as its bloom allows. */
export function createPrepareBlock(options: PrepareOptions): PrepareBlock {
  const { ask, childDiscovery, heads, children, sources, shouldReadAll = oneInAHundred } = options;
  const candidates = createCandidates({ children, sources });
  const read = createReadBlockLogs({ ask, heads });
  const quietBloom = bloomWithout([...ourTopics, sources.tokenFactory, sources.launchpad]);

  async function logsOf(header: Header, signal: AbortSignal | undefined): Promise<Log[] | null> {
    const found = candidates.of(readBloom(header.logsBloom));
    const asked = new Set([...found.contracts, ...found.children]);
    if (asked.size === 0) return [];
    const isOfAny = asked.size > maxAddresses;
    const logs = await read.some(header, {
      addresses: isOfAny ? undefined : [...asked],
      topics: ourTopics,
      signal,
    });
    if (logs === null) return null;
    const emitters = emittersOf(logs);
    // A plain transfer has no companion event that would expose its absence, so an empty answer is doubtful too.
    const isSilent = logs.length === 0 || found.contracts.some((contract) => !emitters.has(contract));
    const wasAsked = (token: Hex) => isOfAny || asked.has(token);
    const isIncomplete =
      lacksTransfer(logs, sources, wasAsked) ||
      swapsWithoutTransfer(logs, children).some(({ token }) => wasAsked(token));
    if (isSilent || isIncomplete || looksCut(logs.length) || shouldReadAll())
      return await readAll(header, signal);
    return isOfAny ? logs : await withNewborn(header, logs, asked, signal);
  }

  /** Reads all logs of the block. Trades without transfers are accepted if no endpoint has other logs. */
  const readAll = (header: Header, signal: AbortSignal | undefined): Promise<Log[] | null> =>
    read.all(header, signal, (logs) => lacksTransfer(logs, sources, () => true));

  /** Adds the logs of tokens and pairs that were created in this block itself. */
  async function withNewborn(
    header: Header,
    logs: Log[],
    asked: ReadonlySet<Hex>,
    signal: AbortSignal | undefined,
  ): Promise<Log[] | null> {
    const newborn = new Set(logs.flatMap((log) => childFromLog(sources, log)?.address ?? []));
    const unasked = [...newborn].filter((address) => !asked.has(address));
    if (unasked.length === 0) return logs;
    const theirs = await read.some(header, {
      addresses: unasked,
      topics: childTopics,
      signal,
    });
    if (theirs === null) return null;
    // A new token mints its supply and a new pair receives liquidity, so the absence of either is doubtful.
    const emitters = emittersOf(theirs);
    const isSilent = unasked.some((address) => !emitters.has(address));
    if (isSilent || lacksTransfer([...logs, ...theirs], sources, (token) => newborn.has(token))) {
      return await readAll(header, signal);
    }
    // Deduplicated by log index.
    return [...new Map([...logs, ...theirs].map((log) => [Number(log.logIndex), log])).values()];
  }

  return async (header, signal) => {
    if (!(await childDiscovery.cover([header], signal))) return null;
    const found = await logsOf(header, signal);
    if (found === null) return null;
    children.learn(found);
    const logs = found
      .filter((log) => children.isIndexed(log))
      .map(inLowerCase)
      .toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex));
    childDiscovery.markLearned(header);
    return { header, block: toLiveBlock(header, logs, quietBloom), logs };
  };
}

const emittersOf = (logs: readonly Log[]) => new Set(logs.map(({ address }) => address.toLowerCase()));

/** Ponder compares addresses and topics case-sensitively. */
const inLowerCase = (log: Log): Log => ({
  ...log,
  address: log.address.toLowerCase() as Hex,
  topics: log.topics.map((topic) => topic.toLowerCase() as Hex),
});

const oneInAHundred = () => Math.random() < 0.01;
