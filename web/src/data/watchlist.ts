import { computed } from "@preact/signals";
import { chainId } from "./chain.ts";
import { maxStarred, storedJson, validAddresses, writeStored } from "./storage.ts";

/** The tokens and accounts that the visitor has starred, stored in the browser. */

const storageKey = "watchlist";

/** Addresses by kind and chain, the last one starred first. Of the service's default chain, tokens have the key "". */
export type Starred = Record<string, string[]>;

const stored = storedJson(storageKey);

export const starred = computed<Starred>(() =>
  Object.fromEntries(
    Object.entries(stored.value ?? {}).map(([key, addresses]) => [key, validAddresses(addresses)]),
  ),
);

export type StarredKind = "token" | "account";

const key = (kind: StarredKind) => `${kind === "token" ? "" : kind}${chainId.value ?? ""}`;

/** What is starred on the current chain. */
export const watchlist = (kind: StarredKind = "token"): readonly string[] => starred.value[key(kind)] ?? [];

export const isWatchlistFull = (kind: StarredKind): boolean => watchlist(kind).length >= maxStarred;

/** Adds a token or an account to the watchlist, or removes it. Nothing is added to a full one: that would push out what was starred first. */
export function toggleStar(address: string, kind: StarredKind): void {
  const list = watchlist(kind);
  const isOn = list.includes(address);
  if (!isOn && isWatchlistFull(kind)) return;
  const next = isOn ? list.filter((starred) => starred !== address) : [address, ...list];
  storeStarred({ ...starred.value, [key(kind)]: next });
}

export function storeStarred(lists: Starred): void {
  stored.value = lists;
  writeStored(storageKey, JSON.stringify(lists));
}
