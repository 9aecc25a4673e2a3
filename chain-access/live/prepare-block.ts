import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { doubtOnce } from "../pool/anchor.ts";
import type { Children } from "../sources/children.ts";
import { swapsWithoutTransfer } from "../sources/events.ts";
import type { Hex, Log, LogFilter } from "../sources/log.ts";
import {
  childFromLog,
  childTopics,
  pairTopics,
  type Sources,
  staticEvents,
  staticTopics,
  tokenTopics,
} from "../sources/sources.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, numberOf, type PreparedBlock, toLiveBlock } from "./block.ts";
import { type Bloom, bitsOf, bloomWithout, flagsOf, isInBloom, readBloom } from "./bloom.ts";
import { checkAllLogs, checkBlockLogs, lacksTransfer, looksCut, wrong } from "./check-block.ts";
import type { ChildDiscovery } from "./child-discovery.ts";
import type { Heads } from "./heads.ts";

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

type SomeLogs = Partial<LogFilter> & {
  /** Must throw an EndpointFault of kind "wrong" for logs that can't be complete. */
  check?: (logs: readonly Log[], endpoint: Endpoint) => void;
  signal?: AbortSignal;
};

type ReadBlockLogsOptions = {
  ask: Ask;
  heads: Heads;
};

/** Reads logs of one block by its hash. Resolves to null if no endpoint has the block any more. */
function createReadBlockLogs({ ask, heads }: ReadBlockLogsOptions) {
  async function some(header: Header, options: SomeLogs = {}): Promise<Log[] | null> {
    const { addresses, topics, check, signal } = options;
    const number = numberOf(header);
    const count = addresses?.length ?? 0;
    const filter = {
      blockHash: header.hash,
      ...(addresses === undefined ? {} : { address: addresses }),
      ...(topics === undefined ? {} : { topics: [topics] }),
    };
    try {
      const sent = await ask([{ method: "eth_getLogs", params: [filter] }], {
        number,
        signal,
        canAsk: ({ limits }) => limits.addresses >= count,
        onFault: (fault, { limits }) => limits.learn(fault, { addresses: count }),
        check: ([answer], endpoint) => {
          if (answer === null) throw new LacksBlock();
          const logs = checkBlockLogs(answer, header, { addresses, topics });
          // Some nodes answer [] for a block that they don't know.
          if (logs.length === 0 && !heads.has(endpoint, number)) throw new LacksBlock({ isCertain: false });
          check?.(logs, endpoint);
        },
      });
      if (sent === null) return null;
      return sent.results[0] as Log[];
    } catch (error) {
      const isTooMuch =
        error instanceof EndpointFault && (error.kind === "addresses" || error.kind === "unfit");
      if (!isTooMuch || addresses === undefined) throw error;
      return await some(header, { ...options, addresses: undefined });
    }
  }

  return {
    some,

    /**
     * Reads all logs of the block, checked against its bloom.
     *
     * @param isDoubtful whether to accept these logs only if no endpoint has others
     */
    async all(
      header: Header,
      signal?: AbortSignal,
      isDoubtful: (logs: readonly Log[]) => boolean = () => false,
    ): Promise<Log[] | null> {
      const isFirstDoubt = doubtOnce();
      return await some(header, {
        signal,
        check: (logs, endpoint) => {
          // An endpoint may have the header before the logs.
          if (logs.length === 0) throw new LacksBlock();
          checkAllLogs(logs, header);
          if (isDoubtful(logs) && isFirstDoubt(endpoint)) {
            throw wrong(`a trade without its transfer in block ${numberOf(header)}`);
          }
        },
      });
    },
  };
}

/** The contracts that may have emitted indexed events, according to a block's bloom. */
type Candidates = {
  /** Contracts from the settings. */
  contracts: Hex[];
  /** Tokens and pairs. */
  children: Hex[];
};

/**
 * Finds the contracts of which the address and one of the events are in a bloom. The bits of all addresses are kept in one
 * array, because a chain has many tokens and several blocks a second.
 */
export function createCandidates({ children, sources }: { children: Children; sources: Sources }) {
  const contracts = [...staticEvents(sources)];
  const { discovered } = children;
  let bits = new Uint16Array(3 * 1_024);
  let isToken = new Uint8Array(1_024);
  let count = 0;

  /** Adds the children that have been discovered since the last call. */
  function catchUp(): void {
    if (discovered.length > isToken.length) {
      const room = 2 ** Math.ceil(Math.log2(discovered.length));
      const wider = { bits: new Uint16Array(3 * room), isToken: new Uint8Array(room) };
      wider.bits.set(bits);
      wider.isToken.set(isToken);
      ({ bits, isToken } = wider);
    }
    for (; count < discovered.length; count++) {
      const { address, type } = discovered[count] as (typeof discovered)[number];
      bits.set(bitsOf(address), 3 * count);
      isToken[count] = type === "token" ? 1 : 0;
    }
  }

  return {
    of(bloom: Bloom): Candidates {
      catchUp();
      const has = (topic: Hex) => isInBloom(bloom, topic);
      const hasToken = tokenTopics.some(has);
      const hasPair = pairTopics.some(has);
      const found: Hex[] = [];
      const isSet = flagsOf(bloom);
      for (let index = 0; index < count; index++) {
        const at = 3 * index;
        if (isSet[bits[at] as number] === 0) continue;
        if (isSet[bits[at + 1] as number] === 0 || isSet[bits[at + 2] as number] === 0) continue;
        if (isToken[index] === 1 ? hasToken : hasPair) {
          found.push((discovered[index] as (typeof discovered)[number]).address);
        }
      }
      return {
        contracts: contracts
          .filter(([address, topics]) => has(address) && topics.some(has))
          .map(([address]) => address),
        children: found,
      };
    },
  };
}
