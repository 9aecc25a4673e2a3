import { eventTopics } from "./events.ts";
import type { Hex, Log } from "./log.ts";
import { type Child, childOf, type Sources, staticEvents } from "./sources.ts";

const topicsOf: Record<Child["type"], readonly string[]> = {
  token: [eventTopics.transfer],
  pair: [eventTopics.sync, eventTopics.swap],
};

export type Children = ReturnType<typeof createChildren>;

/** The tokens and DEX pairs of a chain, as far as they are known. */
export function createChildren(sources: Sources) {
  const known = { token: new Map<Hex, number>(), pair: new Map<Hex, number>() };
  const ofSettings = staticEvents(sources);

  function add({ type, address, block }: Child): void {
    const earliest = Math.min(block, known[type].get(address) ?? Number.POSITIVE_INFINITY);
    known[type].set(address, earliest);
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
