import type { Children } from "../sources/children.ts";
import type { Hex, Log } from "../sources/log.ts";
import { needingSenders } from "../sources/senders.ts";
import { childOf, childTopics, type Sources, staticTopics } from "../sources/sources.ts";
import type { Ask } from "./ask.ts";
import type { Births } from "./births.ts";
import { type Header, type PreparedBlock, toLiveBlock } from "./block.ts";
import { bloomWithout, readBloom } from "./bloom.ts";
import { createCandidates } from "./candidates.ts";
import { lacksTransfer, looksCut } from "./check-block.ts";
import type { Heads } from "./heads.ts";
import { createReadBlockLogs } from "./read-block-logs.ts";
import { readLiveSenders } from "./senders.ts";

export type PrepareOptions = {
  ask: Ask;
  births: Births;
  heads: Heads;
  children: Children;
  sources: Sources;
  /** Called once for each block that has candidates. Default: true for one in a hundred. */
  isProbe?: () => boolean;
};

/** Null: no endpoint has the block any more. */
export type PrepareBlock = (header: Header, signal?: AbortSignal) => Promise<PreparedBlock | null>;

const ourTopics = [...staticTopics, ...childTopics];
/** Of a request: more than so many, and logs are asked for of any contract. */
const mostAddresses = 1_000;

/** Reads everything of a block that Ponder may ask for, with as few requests as its bloom allows. */
export function createPrepareBlock(options: PrepareOptions): PrepareBlock {
  const { ask, births, heads, children, sources, isProbe = oneInAHundred } = options;
  const candidates = createCandidates({ children, sources });
  const read = createReadBlockLogs({ ask, heads });
  const quietBloom = bloomWithout([...ourTopics, sources.tokenFactory, sources.launchpad]);

  async function logsOf(header: Header, signal: AbortSignal | undefined): Promise<Log[] | null> {
    const found = candidates.of(readBloom(header.logsBloom));
    const asked = new Set([...found.contracts, ...found.children]);
    if (asked.size === 0) return [];
    const isOfAny = asked.size > mostAddresses;
    const logs = await read.some(header, {
      addresses: isOfAny ? undefined : [...asked],
      topics: ourTopics,
      signal,
    });
    if (logs === null) return null;
    const emitters = new Set(logs.map(({ address }) => address.toLowerCase()));
    // A transfer has no second event that would miss it, so that nothing at all is not believed either.
    const isSilent = logs.length === 0 || found.contracts.some((contract) => !emitters.has(contract));
    const isIncomplete = lacksTransfer(logs, sources, (token) => isOfAny || asked.has(token));
    if (isSilent || isIncomplete || looksCut(logs.length) || isProbe()) return await readAll(header, signal);
    return isOfAny ? logs : await withNewborn(header, logs, asked, signal);
  }

  /** All logs of the block. Trades without transfers are believed if no endpoint has others. */
  const readAll = (header: Header, signal: AbortSignal | undefined): Promise<Log[] | null> =>
    read.all(header, signal, (logs) => lacksTransfer(logs, sources, () => true));

  /** Adds the logs of tokens and pairs that were created in this very block. */
  async function withNewborn(
    header: Header,
    logs: Log[],
    asked: ReadonlySet<Hex>,
    signal: AbortSignal | undefined,
  ): Promise<Log[] | null> {
    const newborn = new Set(logs.flatMap((log) => childOf(sources, log)?.address ?? []));
    const unasked = [...newborn].filter((address) => !asked.has(address));
    if (unasked.length === 0) return logs;
    const theirs = await read.some(header, {
      addresses: unasked,
      topics: childTopics,
      signal,
    });
    if (theirs === null) return null;
    if (lacksTransfer([...logs, ...theirs], sources, (token) => newborn.has(token))) {
      return await readAll(header, signal);
    }
    // The first answer has them already if it is of any contract.
    return [...new Map([...logs, ...theirs].map((log) => [Number(log.logIndex), log])).values()];
  }

  return async (header, signal) => {
    if (!(await births.cover([header], signal))) return null;
    const found = await logsOf(header, signal);
    if (found === null) return null;
    children.learn(found);
    const logs = found
      .filter((log) => children.isIndexed(log))
      .map(inLowerCase)
      .toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex));
    const senders = await readLiveSenders(ask, header, needingSenders(sources, logs), signal);
    if (senders === null) return null;
    births.learned(header);
    return { header, block: toLiveBlock(header, logs, senders, quietBloom), logs };
  };
}

/** Ponder compares as it is what it gets. */
const inLowerCase = (log: Log): Log => ({
  ...log,
  address: log.address.toLowerCase() as Hex,
  topics: log.topics.map((topic) => topic.toLowerCase() as Hex),
});

const oneInAHundred = () => Math.random() < 0.01;
