import type { Children } from "../sources/children.ts";
import type { Hex } from "../sources/log.ts";
import { pairTopics, type Sources, staticEvents, tokenTopics } from "../sources/sources.ts";
import { type Bloom, bitsOf, flagsOf, isInBloom } from "./bloom.ts";

/** The contracts that may have emitted indexed events, according to a block's bloom. */
export type Candidates = {
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
