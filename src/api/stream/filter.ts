import type { StreamFilter } from "./stream-tail.query.ts";
import type { StreamItem } from "./tail.ts";

/** Equal for filters that let the same through. */
export function filterKey({ chainId, mints, creators, kinds }: StreamFilter): string {
  return JSON.stringify([chainId, ...[mints, creators, kinds].map((list) => [...new Set(list)].sort())]);
}

/** Whether a filter lets an event through: it matches one of each list that is not empty. */
export function itemMatches({ chainId, kind, mint, creator }: StreamItem, filter: StreamFilter): boolean {
  return (
    (filter.chainId === undefined || filter.chainId === chainId) &&
    (filter.kinds.length === 0 || filter.kinds.includes(kind)) &&
    (filter.mints.length === 0 || filter.mints.includes(mint)) &&
    (filter.creators.length === 0 || (creator !== null && filter.creators.includes(creator)))
  );
}
