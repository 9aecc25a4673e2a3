import type { Children } from "../sources/children.ts";
import type { Hex } from "../sources/log.ts";
import { pairTopics, type Sources, staticEvents, tokenTopics } from "../sources/sources.ts";
import { type Bloom, bitsOf, flagsOf, fullnessOf, isInBloom } from "./bloom.ts";

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
