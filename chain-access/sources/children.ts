import type { Hex, Log } from "./log.ts";
import { type Child, childOf, pairTopics, type Sources, staticEvents, tokenTopics } from "./sources.ts";

const topicsOf: Record<Child["type"], readonly string[]> = { token: tokenTopics, pair: pairTopics };

export type Children = ReturnType<typeof createChildren>;

/** The tokens and DEX pairs of a chain, as far as they are known. */
export function createChildren(sources: Sources) {
  const known = { token: new Map<Hex, number>(), pair: new Map<Hex, number>() };
  const discovered: Child[] = [];
  const ofSettings = staticEvents(sources);

  function add(child: Child): void {
    const { type, address, block } = child;
    const since = known[type].get(address);
    if (since === undefined) discovered.push(child);
    known[type].set(address, Math.min(block, since ?? Number.POSITIVE_INFINITY));
  }

  return {
    add,

    /** Learns the tokens and pairs that these logs name. */
    learn(logs: readonly Log[]): void {
      for (const log of logs) {
        const child = childOf(sources, log);
        if (child !== undefined) add(child);
      }
    },

    /** The addresses of those that there are by this block; by default, of all. */
    addresses: (block = Number.POSITIVE_INFINITY): Hex[] =>
      [...known.token, ...known.pair].flatMap(([address, since]) => (since <= block ? [address] : [])),

    /** All of them, in the order in which they became known; it only grows. */
    discovered: discovered as readonly Child[],

    get count(): number {
      return known.token.size + known.pair.size;
    },

    /** Whether a log is an event that is indexed. */
    isIndexed({ address, topics: [topic = "0x"], blockNumber }: Log): boolean {
      const contract = address.toLowerCase() as Hex;
      if (ofSettings.get(contract)?.includes(topic)) return true;
      return (["token", "pair"] as const).some((type) => {
        const since = known[type].get(contract);
        return since !== undefined && since <= Number(blockNumber) && topicsOf[type].includes(topic);
      });
    },
  };
}
