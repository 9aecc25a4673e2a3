import { computed } from "@preact/signals";
import { maxStarred, validAddresses } from "./addresses.ts";
import { chainId } from "./chain.ts";
import { storedJson, writeStored } from "./storage.ts";

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

/** Adds a token or an account to the watchlist, or removes it. */
export function toggleStar(address: string, kind: StarredKind): void {
  const list = watchlist(kind);
  const others = list.filter((starred) => starred !== address);
  const next = others.length < list.length ? others : [address, ...others].slice(0, maxStarred);
  storeStarred({ ...starred.value, [key(kind)]: next });
}

export function storeStarred(lists: Starred): void {
  stored.value = lists;
  writeStored(storageKey, JSON.stringify(lists));
}
