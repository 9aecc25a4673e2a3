import type { EndpointFault, FaultKind } from "./fault.ts";

/** The size of a request: the blocks of a range, the addresses of a filter, the calls in a batch. */
export type RequestSize = { blocks: number; addresses: number; calls: number };

const limitedBy: Partial<Record<FaultKind, keyof RequestSize>> = {
  range: "blocks",
  addresses: "addresses",
  batch: "calls",
};
/** Milliseconds in which a learned limit doubles: it may have been raised, or learned from a fault that had another cause. */
const doublesMs = 60_000;
/** A limit that has grown beyond this is forgotten. */
const highest: RequestSize = { blocks: 1_000_000, addresses: 10_000, calls: 1_000 };

/**
 * What an endpoint accepts in one request, as far as it has said so. Infinity: no limit is known.
 *
 * @param now in milliseconds
 */
export function createLimits(now: () => number = () => performance.now()) {
  const learned: Partial<Record<keyof RequestSize, { limit: number; at: number }>> = {};

  function current(name: keyof RequestSize): number {
    const { limit = Number.POSITIVE_INFINITY, at = 0 } = learned[name] ?? {};
    const grown = limit * 2 ** Math.floor((now() - at) / doublesMs);
    return grown > highest[name] ? Number.POSITIVE_INFINITY : grown;
  }

  return {
    get blocks(): number {
      return current("blocks");
    },
    get addresses(): number {
      return current("addresses");
    },
    get calls(): number {
      return current("calls");
    },

    /** Learns from the refusal of a request: the limit that the endpoint named, or half of what was asked for. */
    learn({ kind, limit }: EndpointFault, asked: Partial<RequestSize>): void {
      const name = limitedBy[kind];
      const size = name && asked[name];
      if (size === undefined) return;
      const lower = limit !== undefined && limit < size ? limit : Math.max(1, Math.floor(size / 2));
      learned[name as keyof RequestSize] = {
        limit: Math.min(lower, current(name as keyof RequestSize)),
        at: now(),
      };
    },
  };
}
