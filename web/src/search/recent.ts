import { signal } from "@preact/signals";
import { readStoredJson, writeStored } from "../data/storage.ts";

/** What the visitor searched or opened last, stored in the browser. */

/** A search, or a token that was opened from its suggestions. */
export type Recent =
  | { kind: "search"; text: string }
  | { kind: "token"; mint: string; name: string; symbol: string; imageUrl: string | null };

const storageKey = "recent-searches";
const maxRecent = 6;

export const recentSearches = signal<Recent[]>(read());

/** Puts an entry first, in place of an older one of the same search or token. */
export function noteRecent(entry: Recent): void {
  const others = recentSearches.value.filter((search) => identityOf(search) !== identityOf(entry));
  write([entry, ...others].slice(0, maxRecent));
}

export const clearRecent = () => write([]);

const identityOf = (entry: Recent) => (entry.kind === "search" ? entry.text.toLowerCase() : entry.mint);

function write(entries: Recent[]): void {
  recentSearches.value = entries;
  writeStored(storageKey, JSON.stringify(entries));
}

function read(): Recent[] {
  const stored = readStoredJson(storageKey);
  return Array.isArray(stored) ? stored.filter(isRecent).slice(0, maxRecent) : [];
}

/** Earlier versions may have stored something else. */
function isRecent(entry: unknown): entry is Recent {
  const { kind, text, mint, name, symbol } = (entry ?? {}) as Record<string, unknown>;
  if (kind === "search") return typeof text === "string" && text !== "";
  const isAddress = typeof mint === "string" && /^0x[0-9a-f]{40}$/.test(mint);
  return kind === "token" && isAddress && typeof name === "string" && typeof symbol === "string";
}
