import { isAboutTrades, itemMatches } from "../stream/filter.ts";
import type { StreamItem } from "../stream/read-page.ts";
import type { StreamFilter } from "../stream/stream-page.query.ts";

export type RuleIndex<Subscriber> = {
  add(subscriber: Subscriber, filter: StreamFilter): void;
  remove(subscriber: Subscriber, filter: StreamFilter): void;
  /** Returns the subscribers that take events now and whose filter an event matches. */
  match(item: StreamItem): Subscriber[];
};

type Entry<Subscriber> = { subscriber: Subscriber; filter: StreamFilter; minWei: bigint };

/**
 * Finds the subscribers of an event among very many, at a cost that grows with those that match: each is filed under the addresses of
 * one of its lists, or under its kinds. Those that wait for large trades of any token are filed by the smallest that they want.
 *
 * @param takes whether a subscriber takes events now
 */
export function createRuleIndex<Subscriber>(
  takes: (subscriber: Subscriber) => boolean = () => true,
): RuleIndex<Subscriber> {
  /** Each list is ordered by `minWei`. */
  const files = new Map<string, Entry<Subscriber>[]>();

  return {
    add(subscriber, filter) {
      const entry = { subscriber, filter, minWei: filter.minWei ?? 0n };
      for (const key of keysOf(filter)) {
        const entries = files.get(key) ?? [];
        files.set(key, entries);
        entries.splice(firstAbove(entries, entry.minWei), 0, entry);
      }
    },
    remove(subscriber, filter) {
      for (const key of keysOf(filter)) {
        const entries = files.get(key) ?? [];
        const index = entries.findIndex((entry) => entry.subscriber === subscriber);
        if (index >= 0) entries.splice(index, 1);
        if (entries.length === 0) files.delete(key);
      }
    },
    match(item) {
      const amount = item.trade === undefined ? 0n : BigInt(item.trade.bnbAmountWei);
      const matching: Subscriber[] = [];
      for (const key of keysOfItem(item)) {
        for (const { subscriber, filter, minWei } of files.get(key) ?? []) {
          if (minWei > amount) break;
          if (takes(subscriber) && itemMatches(item, filter)) matching.push(subscriber);
        }
      }
      return matching;
    },
  };
}

/** The keys under which a filter is filed. An event that matches has exactly one of them. */
function keysOf(filter: StreamFilter): string[] {
  const { chainId, traders, mints, creators, kinds } = filter;
  const chain = chainId ?? "any";
  if (traders.length > 0) return [...new Set(traders)].map((trader) => `${chain} trader ${trader}`);
  if (mints.length > 0) return [...new Set(mints)].map((mint) => `${chain} mint ${mint}`);
  if (creators.length > 0) return [...new Set(creators)].map((creator) => `${chain} creator ${creator}`);
  if (isAboutTrades(filter)) return [`${chain} ${filter.side ?? "any"} ${filter.venue ?? "any"}`];
  return kinds.length > 0 ? [...new Set(kinds)].map((kind) => `${chain} kind ${kind}`) : [`${chain} all`];
}

function keysOfItem({ chainId, kind, mint, creator, trade }: StreamItem): string[] {
  return [chainId, "any"].flatMap((chain) => [
    `${chain} mint ${mint}`,
    `${chain} kind ${kind}`,
    `${chain} all`,
    ...(creator === null ? [] : [`${chain} creator ${creator}`]),
    ...(trade === undefined
      ? []
      : [
          `${chain} trader ${trade.trader}`,
          ...[trade.side, "any"].flatMap((side) =>
            [trade.venue, "any"].map((venue) => `${chain} ${side} ${venue}`),
          ),
        ]),
  ]);
}

/** The index of the first entry with a larger `minWei`. */
function firstAbove(entries: { minWei: bigint }[], minWei: bigint): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.minWei ?? 0n) <= minWei) low = middle + 1;
    else high = middle;
  }
  return low;
}
