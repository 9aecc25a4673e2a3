import type { Hex, Log } from "./log.ts";
import { type Child, childFromLog, pairTopics, type Sources, staticEvents, tokenTopics } from "./sources.ts";

const topicsOf: Record<Child["type"], readonly string[]> = { token: tokenTopics, pair: pairTopics };

export type Children = ReturnType<typeof createChildren>;

/** A chain's known tokens and DEX pairs. */
export function createChildren(sources: Sources) {
  const firstBlocks = { token: new Map<Hex, number>(), pair: new Map<Hex, number>() };
  const tokens = new Map<Hex, Hex>();
  const pairs = new Map<Hex, Hex>();
  const discovered: Child[] = [];
  const ofSettings = staticEvents(sources);

  function add(child: Child): void {
    const { type, address, block } = child;
    const since = firstBlocks[type].get(address);
    if (since === undefined) discovered.push(child);
    if (child.type === "pair") {
      tokens.set(address, child.token);
      pairs.set(child.token, address);
    }
    firstBlocks[type].set(address, Math.min(block, since ?? Number.POSITIVE_INFINITY));
  }

  return {
    add,

    /** Adds the tokens and pairs that these logs announce. */
    learn(logs: readonly Log[]): void {
      for (const log of logs) {
        const child = childFromLog(sources, log);
        if (child !== undefined) add(child);
      }
    },

    /** The addresses of those that exist at this block; by default, of all. */
    addresses: (block = Number.POSITIVE_INFINITY): Hex[] =>
      [...firstBlocks.token, ...firstBlocks.pair].flatMap(([address, since]) =>
        since <= block ? [address] : [],
      ),

    /** The block since which a token or a pair exists; infinity if it is not known. */
    since: (address: Hex): number =>
      Math.min(
        firstBlocks.token.get(address) ?? Number.POSITIVE_INFINITY,
        firstBlocks.pair.get(address) ?? Number.POSITIVE_INFINITY,
      ),

    /** The token of a pair, if the pair is known. */
    tokenOf: (pair: Hex): Hex | undefined => tokens.get(pair),

    /** The pair of a token or the token of a pair, which mostly have events together. */
    partnerOf: (address: Hex): Hex | undefined => tokens.get(address) ?? pairs.get(address),

    has: (address: Hex): boolean => firstBlocks.token.has(address) || firstBlocks.pair.has(address),

    /** All of them, in order of discovery. The list only grows. */
    discovered: discovered as readonly Child[],

    get count(): number {
      return firstBlocks.token.size + firstBlocks.pair.size;
    },

    /** Whether a log is an indexed event. */
    isIndexed({ address, topics: [topic = "0x"], blockNumber }: Log): boolean {
      const contract = address.toLowerCase() as Hex;
      if (ofSettings.get(contract)?.includes(topic)) return true;
      return (["token", "pair"] as const).some((type) => {
        const since = firstBlocks[type].get(contract);
        return since !== undefined && since <= Number(blockNumber) && topicsOf[type].includes(topic);
      });
    },
  };
}
