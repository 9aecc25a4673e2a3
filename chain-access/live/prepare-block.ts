import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import { firstDoubt } from "../pool/anchor.ts";
import type { Children } from "../sources/children.ts";
import { swapsWithoutTransfer } from "../sources/events.ts";
import { checkOrder, getLogs, type Hex, type Log, type LogFilter } from "../sources/log.ts";
import { childFromLog, childTopics, namedBy, type Sources, staticTopics } from "../sources/sources.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, numberOf, type PreparedBlock, toLiveBlock } from "./block.ts";
import { bloomWithout, fullnessOf, isInBloom, readBloom } from "./bloom.ts";
import type { CandidateFinder, Candidates } from "./candidates.ts";
import {
  checkAllLogs,
  checkBlockLogs,
  isOfWitness,
  isWitnessed,
  lacksTransfer,
  looksCut,
  witness,
} from "./check-block.ts";
import type { ChildDiscovery } from "./child-discovery.ts";
import type { Heads } from "./heads.ts";

export type PrepareOptions = {
  ask: Ask;
  childDiscovery: ChildDiscovery;
  heads: Heads;
  children: Children;
  sources: Sources;
  candidates: CandidateFinder;
  /** Whether to read all logs of a block as a check, asked once per block with candidates. Default: true for one in a hundred. */
  shouldReadAll?: () => boolean;
};

/** Resolves to null if no endpoint has the block any more. */
export type PrepareBlock = (header: Header, signal?: AbortSignal) => Promise<PreparedBlock | null>;

const ourTopics = [...staticTopics, ...childTopics];
const askedTopics = [...ourTopics, witness.topic];
/** A fuller bloom than this is of a block with so many logs that reading all of them costs more than several requests. */
const denseFullness = 0.25;

/** Reads everything about a block that Ponder may ask for, with as few requests as its bloom allows. */
export function createPrepareBlock(options: PrepareOptions): PrepareBlock {
  const { childDiscovery, children, sources, candidates, shouldReadAll = oneInAHundred } = options;
  const read = createReadBlockLogs(options);
  const quietBloom = bloomWithout([...ourTopics, sources.tokenFactory, sources.launchpad]);

  async function logsOf(
    header: Header,
    candidates: Candidates,
    signal: AbortSignal | undefined,
  ): Promise<Log[] | null> {
    const asked = new Set([...candidates.contracts, ...candidates.children]);
    if (asked.size === 0) return [];
    const bloom = readBloom(header.logsBloom);
    const hasWitness = isWitnessed(bloom);
    const addresses = hasWitness ? [...asked, witness.address] : [...asked];
    const logs = await read.some(header, { addresses, topics: askedTopics, signal });
    if (logs === null) return null;
    const emitters = emittersOf(logs);
    // Nothing else would expose that a plain transfer is absent.
    const isSilent = hasWitness
      ? !logs.some(isOfWitness)
      : logs.length === 0 || candidates.contracts.some((contract) => !emitters.has(contract));
    const wasAsked = (token: Hex) => asked.has(token);
    const isIncomplete =
      lacksTransfer(logs, sources, wasAsked) ||
      swapsWithoutTransfer(logs, children).some(({ token }) => wasAsked(token));
    const isProbe = !hasWitness && shouldReadAll();
    if (isSilent || isIncomplete || looksCut(logs.length) || isProbe)
      return await readAll(header, addresses, signal);
    const named = new Set(logs.flatMap((log) => namedBy(sources, log)));
    const unasked = [...named].filter((address) => !asked.has(address) && isInBloom(bloom, address));
    return unasked.length === 0 ? logs : await withNamed(header, logs, unasked, signal);
  }

  /** Reads all logs of the block. Trades without transfers are accepted if no endpoint has other logs. */
  const readAll = (
    header: Header,
    addresses: readonly Hex[],
    signal: AbortSignal | undefined,
  ): Promise<Log[] | null> =>
    read.all(header, {
      addresses,
      topics: askedTopics,
      signal,
      isDoubtful: (logs) => lacksTransfer(logs, sources, () => true),
    });

  /** Adds the logs of tokens and pairs that are created in this block itself, or that sleep and are traded in it. */
  async function withNamed(
    header: Header,
    logs: Log[],
    named: readonly Hex[],
    signal: AbortSignal | undefined,
  ): Promise<Log[] | null> {
    const theirs = await read.some(header, { addresses: named, topics: childTopics, signal });
    if (theirs === null) return null;
    // A new token mints its supply, a new pair receives liquidity, and a trade moves tokens: the absence of any is doubtful.
    const emitters = emittersOf(theirs);
    const isSilent = named.some((address) => !emitters.has(address));
    if (isSilent || lacksTransfer([...logs, ...theirs], sources, (token) => named.includes(token))) {
      return await readAll(header, [...emittersOf(logs), ...named], signal);
    }
    return mergeLogs(logs, theirs);
  }

  return async (header, signal) => {
    if (!(await childDiscovery.cover([header], signal))) return null;
    const time = Number(header.timestamp);
    const candidatesOfBlock = candidates.of(readBloom(header.logsBloom), time);
    const foundLogs = await logsOf(header, candidatesOfBlock, signal);
    if (foundLogs === null) return null;
    // Answers to several requests may each be right in itself.
    checkOrder(foundLogs);
    children.learn(foundLogs);
    const logs = inOrder(foundLogs.filter((log) => children.isIndexed(log)).map(inLowerCase));
    const created = new Set(logs.flatMap((log) => childFromLog(sources, log)?.address ?? []));
    const woken = candidates
      .wake([...emittersOf(logs), ...logs.flatMap((log) => namedBy(sources, log))], time)
      .filter((address) => !created.has(address));
    childDiscovery.markLearned(header);
    return {
      header,
      block: toLiveBlock(header, logs, quietBloom),
      logs,
      turn: candidatesOfBlock.turn,
      woken,
    };
  };
}

/** Adds logs that a block was prepared without. */
export function addLogs(prepared: PreparedBlock, added: readonly Log[]): PreparedBlock {
  if (added.length === 0) return prepared;
  const logs = inOrder(mergeLogs(prepared.logs, added));
  return { ...prepared, logs, block: toLiveBlock(prepared.header, logs, prepared.block.logsBloom) };
}

const inOrder = (logs: readonly Log[]) => logs.toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex));

/** Deduplicated by log index. */
const mergeLogs = (logs: readonly Log[], others: readonly Log[]): Log[] => [
  ...new Map([...logs, ...others].map((log) => [Number(log.logIndex), log])).values(),
];

const emittersOf = (logs: readonly Log[]) => new Set(logs.map(({ address }) => address.toLowerCase() as Hex));

/** Ponder compares addresses and topics case-sensitively. */
export const inLowerCase = (log: Log): Log => ({
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

type AllLogs = Omit<SomeLogs, "check"> & { isDoubtful: (logs: readonly Log[]) => boolean };

type ReadBlockLogsOptions = { ask: Ask; heads: Heads };

/** Reads logs of one block by its hash. Resolves to null if no endpoint has the block any more. */
function createReadBlockLogs({ ask, heads }: ReadBlockLogsOptions) {
  const takesAnyAddress = (header: Header) =>
    heads.forLogs(numberOf(header)).some(({ limits }) => limits.takesAnyAddress);
  const roomForLogs = (header: Header) => roomFor(heads.forLogs(numberOf(header)));

  /** Asks for the logs of all contracts in place of more addresses than a request takes, unless there are too many. */
  async function some(header: Header, options: SomeLogs = {}): Promise<Log[] | null> {
    const { addresses } = options;
    const room = roomForLogs(header);
    if (addresses === undefined || addresses.length <= room) return await one(header, options);
    if (!isDense(header) && takesAnyAddress(header))
      return await one(header, { ...options, addresses: undefined });
    const parts = chunk(addresses, room).map((part) => one(header, { ...options, addresses: part }));
    const logsOfParts = await Promise.all(parts);
    return logsOfParts.every((logs) => logs !== null) ? logsOfParts.flat() : null;
  }

  /** One request. */
  async function one(header: Header, options: SomeLogs): Promise<Log[] | null> {
    const { addresses, topics, check, signal } = options;
    const number = numberOf(header);
    const count = addresses?.length ?? 0;
    try {
      const sent = await ask([getLogs({ addresses, topics }, { blockHash: header.hash })], {
        number,
        signal,
        canAsk: ({ limits }) =>
          addresses === undefined ? limits.takesAnyAddress : limits.addresses >= count,
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
      // Whoever took so many addresses has refused them.
      if (isTooMuch && count > roomForLogs(header)) return await some(header, options);
      throw error;
    }
  }

  /**
   * Reads all logs of the block, checked against its bloom; or, if no endpoint returns those, asks again for these addresses.
   *
   * @param isDoubtful whether to accept logs only if no endpoint has others
   */
  async function all(header: Header, options: AllLogs): Promise<Log[] | null> {
    const { isDoubtful, ...filter } = options;
    const isFirstDoubt = firstDoubt();
    const doubt = (endpoint: Endpoint) => {
      if (isFirstDoubt(endpoint)) throw wrong(`incomplete logs of block ${numberOf(header)}`);
    };
    try {
      return await one(header, {
        signal: filter.signal,
        check: (logs, endpoint) => {
          // An endpoint may have the header before the logs.
          if (logs.length === 0) throw new LacksBlock();
          checkAllLogs(logs, header);
          if (isDoubtful(logs)) doubt(endpoint);
        },
      });
    } catch (error) {
      const isRefused =
        error instanceof EndpointFault && (error.kind === "unfiltered" || error.kind === "unfit");
      if (!isRefused) throw error;
      if (error.kind === "unfiltered" && takesAnyAddress(header)) return await all(header, options);
      const lacksWitness = (logs: readonly Log[]) =>
        filter.addresses?.includes(witness.address) === true && !logs.some(isOfWitness);
      return await some(header, {
        ...filter,
        check: (logs, endpoint) => {
          if (isDoubtful(logs) || lacksWitness(logs)) doubt(endpoint);
        },
      });
    }
  }

  return { some, all };
}

/** Addresses per request. */
const maxAddresses = 1_000;

/** The most addresses that an endpoint takes. */
export const roomFor = (endpoints: readonly Endpoint[]): number =>
  Math.min(maxAddresses, Math.max(1, ...endpoints.map(({ limits }) => limits.addresses)));

const isDense = ({ logsBloom }: Header) => fullnessOf(readBloom(logsBloom)) > denseFullness;
