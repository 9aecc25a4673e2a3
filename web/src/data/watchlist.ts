import { signal } from "@preact/signals";
import { chainId } from "./chain.ts";
import { readStoredJson, writeStored } from "./storage.ts";

/** The tokens that the visitor has starred, stored in the browser. */

const storageKey = "watchlist";

/** The API reads as many tokens with one request. */
const maxTokens = 100;

/** Mints by chain, the last one starred first. The service's default chain has the key "". */
type Stored = Record<string, string[]>;

const starred = signal<Stored>(read());

const key = () => String(chainId.value ?? "");

/** The starred tokens of the current chain. */
export const watchlist = (): readonly string[] => starred.value[key()] ?? [];

export const isStarred = (mint: string): boolean => watchlist().includes(mint);

/** Adds a token to the watchlist, or removes it. */
export function toggleStar(mint: string): void {
  const others = watchlist().filter((known) => known !== mint);
  const next = others.length < watchlist().length ? others : [mint, ...others].slice(0, maxTokens);
  starred.value = { ...starred.value, [key()]: next };
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
