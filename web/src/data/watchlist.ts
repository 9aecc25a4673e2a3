import { signal } from "@preact/signals";
import { chainId } from "./chain.ts";
import { readStoredJson, writeStored } from "./storage.ts";

/** The tokens and accounts that the visitor has starred, stored in the browser. */

const storageKey = "watchlist";

/** The API reads as many tokens with one request. */
const maxTokens = 100;

/** Addresses by kind and chain, the last one starred first. Of the service's default chain, tokens have the key "". */
type Stored = Record<string, string[]>;

const starred = signal<Stored>(read());

export type Starred = "token" | "account";

const key = (kind: Starred) => `${kind === "token" ? "" : kind}${chainId.value ?? ""}`;

/** What is starred on the current chain. */
export const watchlist = (kind: Starred = "token"): readonly string[] => starred.value[key(kind)] ?? [];

/** Adds a token or an account to the watchlist, or removes it. */
export function toggleStar(address: string, kind: Starred): void {
  const list = watchlist(kind);
  const others = list.filter((starred) => starred !== address);
  const next = others.length < list.length ? others : [address, ...others].slice(0, maxTokens);
  starred.value = { ...starred.value, [key(kind)]: next };
  writeStored(storageKey, JSON.stringify(starred.value));
}

// Another tab has changed it.
window.addEventListener("storage", (event) => {
  if (event.key === storageKey) starred.value = read();
});

function read(): Stored {
  const lists = Object.entries(readStoredJson(storageKey) ?? {});
  return Object.fromEntries(lists.map(([chain, mints]) => [chain, validMints(mints)]));
}

function validMints(mints: unknown): string[] {
  return (Array.isArray(mints) ? mints : [])
    .filter((mint) => typeof mint === "string" && /^0x[0-9a-f]{40}$/.test(mint))
    .slice(0, maxTokens);
}
