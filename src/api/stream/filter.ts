import type { StreamItem } from "./read-page.ts";
import type { StreamFilter } from "./stream-page.query.ts";

export const kinds = [
  "created",
  "trade",
  "graduated",
  "registered",
  "transfer",
  "liquidity_added",
  "liquidity_removed",
] as const;

/** Kinds that are sent only to those who ask for them. */
export const askedKinds: readonly string[] = ["transfer", "liquidity_added", "liquidity_removed"];

/** Whether a filter has conditions that only trades can meet. */
export const isAboutTrades = ({ traders, side, venue, minWei }: StreamFilter) =>
  traders.length > 0 || side !== undefined || venue !== undefined || minWei !== undefined;

/** Returns a key that is equal for equivalent filters. */
export function filterKey(filter: StreamFilter): string {
  const { chainId, mints, creators, kinds, traders, side, venue, minWei } = filter;
  const lists = [mints, creators, kinds, traders].map((list) => [...new Set(list)].sort());
  return JSON.stringify([chainId, ...lists, side, venue, minWei === undefined ? undefined : String(minWei)]);
}

/** Whether a filter lets an event through. Every list that is not empty has to contain the event's value. */
export function itemMatches(item: StreamItem, filter: StreamFilter): boolean {
  const { chainId, kind, mint, creator } = item;
  return (
    (filter.chainId === undefined || filter.chainId === chainId) &&
    (filter.kinds.length === 0 ? !askedKinds.includes(kind) : filter.kinds.includes(kind)) &&
    (filter.mints.length === 0 || has(filter.mints, mint)) &&
    (filter.creators.length === 0 || (creator !== null && has(filter.creators, creator))) &&
    (!isAboutTrades(filter) || tradeMatches(item, filter))
  );
}

const sets = new WeakMap<string[], Set<string>>();

/** Looks in a set, since each event is compared with the filters of all clients, whose lists have up to a hundred addresses each. */
function has(list: string[], address: string): boolean {
  const set = sets.get(list) ?? new Set(list);
  sets.set(list, set);
  return set.has(address);
}

function tradeMatches({ trade }: StreamItem, { traders, side, venue, minWei }: StreamFilter): boolean {
  return (
    trade !== undefined &&
    (traders.length === 0 || has(traders, trade.trader)) &&
    (side === undefined || side === trade.side) &&
    (venue === undefined || venue === trade.venue) &&
    (minWei === undefined || BigInt(trade.bnbAmountWei) >= minWei)
  );
}
