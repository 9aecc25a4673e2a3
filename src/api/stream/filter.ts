import type { StreamFilter } from "./stream-tail.query.ts";
import type { StreamItem } from "./tail.ts";

/** Returns a key that is equal for equivalent filters. */
export function filterKey({ chainId, mints, creators, kinds }: StreamFilter): string {
  return JSON.stringify([chainId, ...[mints, creators, kinds].map((list) => [...new Set(list)].sort())]);
}

/** Whether a filter lets an event through. Every list that is not empty has to contain the event's value. */
export function itemMatches({ chainId, kind, mint, creator }: StreamItem, filter: StreamFilter): boolean {
  return (
    (filter.chainId === undefined || filter.chainId === chainId) &&
    (filter.kinds.length === 0 || filter.kinds.includes(kind)) &&
    (filter.mints.length === 0 || filter.mints.includes(mint)) &&
    (filter.creators.length === 0 || (creator !== null && filter.creators.includes(creator)))
  );
}
