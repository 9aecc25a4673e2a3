import type { Children } from "../sources/children.ts";
import { swapsWithoutTransfer } from "../sources/events.ts";
import { checkOrder, type Hex, type Log } from "../sources/log.ts";
import {
  childFromLog,
  childTopics,
  namedBy,
  pairTopics,
  type Sources,
  staticEvents,
  staticTopics,
  tokenTopics,
} from "../sources/sources.ts";
import type { Ask } from "./ask.ts";
import { type Header, type PreparedBlock, toLiveBlock } from "./block.ts";
import {
  createReadBlockLogs,
  isOfWitness,
  isWitnessed,
  lacksTransfer,
  looksCut,
  witness,
} from "./block-logs.ts";
import { type Bloom, bitsOf, bloomWithout, flagsOf, fullnessOf, isInBloom, readBloom } from "./bloom.ts";
import type { ChildDiscovery } from "./child-discovery.ts";
import type { Heads } from "./heads.ts";

/** The contracts that may have emitted indexed events, according to a block's bloom. */
export type Candidates = {
  /** Contracts from the settings. */
  contracts: Hex[];
  /** Tokens and pairs. */
  children: Hex[];
  /** If tokens and pairs that sleep were left out: a number that grows with each such block. Undefined: they are among these. */
  turn: number | undefined;
};

export type CandidatesOptions = {
  children: Children;
  sources: Sources;
  /** How many addresses a request takes. */
  room: () => number;
  /** The block up to which history has learned all tokens and pairs. */
  knownThrough: () => number;
};

/** Seconds without an event after which a token or a pair sleeps. */
const daySeconds = 86_400;

type Activity = { bits: ReturnType<typeof bitsOf>; topics: "token" | "pair"; at: number; since: number };

/**
 * Finds the contracts of which the address and one of the events are in a bloom. The bits of all addresses are kept in one
 * array, because a chain has many tokens and several blocks a second. In a full bloom, many are found by chance: if that would be
 * more than one request takes, only those with an event in the last day are looked for. The others sleep.
 */
export function createCandidates({ children, sources, room, knownThrough }: CandidatesOptions) {
  const contracts = [...staticEvents(sources)];
  const { discovered } = children;
  let bits = new Uint16Array(3 * 1_024);
  let isToken = new Uint8Array(1_024);
  let count = 0;
  const active = new Map<Hex, Activity>();
  let lastTurn = 0;

  /** Adds the children that have been discovered since the last call. New ones are active. */
  function catchUp(time: number): void {
    if (discovered.length > isToken.length) {
      const room = 2 ** Math.ceil(Math.log2(discovered.length));
      const wider = { bits: new Uint16Array(3 * room), isToken: new Uint8Array(room) };
      wider.bits.set(bits);
      wider.isToken.set(isToken);
      ({ bits, isToken } = wider);
    }
    const through = knownThrough();
    for (; count < discovered.length; count++) {
      const { address, type, block } = discovered[count] as (typeof discovered)[number];
      // The block that creates it may still be being prepared, beside later ones.
      if (block > through) touch(address, time);
      bits.set(bitsOf(address), 3 * count);
      isToken[count] = type === "token" ? 1 : 0;
    }
  }

  function findAll(isSet: Uint8Array, has: Record<"token" | "pair", boolean>): Hex[] {
    const addresses: Hex[] = [];
    for (let index = 0; index < count; index++) {
      const at = 3 * index;
      if (isSet[bits[at] as number] === 0) continue;
      if (isSet[bits[at + 1] as number] === 0 || isSet[bits[at + 2] as number] === 0) continue;
      if (has[isToken[index] === 1 ? "token" : "pair"])
        addresses.push((discovered[index] as (typeof discovered)[number]).address);
    }
    return addresses;
  }

  function findActive(isSet: Uint8Array, has: Record<"token" | "pair", boolean>, time: number): Hex[] {
    const addresses: Hex[] = [];
    for (const [address, { bits, topics, at }] of active) {
      if (at < time - daySeconds) active.delete(address);
      else if (has[topics] && bits.every((bit) => isSet[bit] === 1)) addresses.push(address);
    }
    return addresses;
  }

  /** Returns whether a token or a pair slept. */
  function touch(address: Hex, time: number): boolean {
    const lastActive = active.get(address);
    if (lastActive !== undefined) lastActive.at = Math.max(lastActive.at, time);
    if (lastActive !== undefined || !children.has(address)) return false;
    const topics = children.tokenOf(address) === undefined ? "token" : "pair";
    active.set(address, { bits: bitsOf(address), topics, at: time, since: lastTurn });
    return true;
  }

  /** Whether all tokens and pairs that match by chance fit into a request. */
  const isWhole = (bloom: Bloom): boolean => discovered.length * fullnessOf(bloom) ** 3 <= room();

  return {
    isWhole,

    /** @param time the block's, in seconds since 1970 */
    of(bloom: Bloom, time: number): Candidates {
      catchUp(time);
      const isInTopics = (topic: Hex) => isInBloom(bloom, topic);
      const has = { token: tokenTopics.some(isInTopics), pair: pairTopics.some(isInTopics) };
      const isSet = flagsOf(bloom);
      const hasAll = isWhole(bloom);
      return {
        contracts: contracts
          .filter(([address, topics]) => isInTopics(address) && topics.some(isInTopics))
          .map(([address]) => address),
        children: hasAll ? findAll(isSet, has) : findActive(isSet, has, time),
        turn: hasAll ? undefined : ++lastTurn,
      };
    },

    /**
     * Notes that tokens and pairs, and what belongs to them, had events at a time in seconds since 1970.
     *
     * @returns those of them that slept
     */
    wake(addresses: readonly Hex[], time: number): Hex[] {
      const partners = addresses.flatMap((address) => children.partnerOf(address) ?? []);
      return [...new Set([...addresses, ...partners])].filter((address) => touch(address, time));
    },

    /** All tokens and pairs that may have been left out at a turn, or after it. */
    asleepSince(turn: number): Hex[] {
      const isAsked = (address: Hex) => (active.get(address)?.since ?? Number.POSITIVE_INFINITY) < turn;
      return discovered.flatMap(({ address }) => (isAsked(address) ? [] : [address]));
    },
  };
}

export type CandidateFinder = ReturnType<typeof createCandidates>;

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
