import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { components } from "../../../client/src/index.ts";
import { chainId } from "../data/chain.ts";
import { api, client, dataOf, LaunchpadError } from "../data/client.ts";
import { readSoon } from "../data/read-soon.ts";
import { readStoredJson, writeStored } from "../data/storage.ts";

const fields = [
  "mint",
  "name",
  "symbol",
  "imageUrl",
  "createdAt",
  "verified",
  "graduated",
  "marketCapBnb",
  "marketCapUsd",
] as const;

export type Suggestion = Pick<components["schemas"]["Token"], (typeof fields)[number]>;

/** What the service found. `isCurrent` is false while the last keystroke's answer is awaited. */
export type Suggestions = {
  tokens: Suggestion[];
  /** How many tokens match. */
  total: number;
  /** Whether nothing matches, and these differ from the text by one character. */
  isSimilar?: boolean;
  error: unknown;
  isCurrent: boolean;
};

/** The search starts this long after the last keystroke. */
const debounceMs = 150;
const maxSuggestions = 6;

export const addressIn = (text: string): string | undefined =>
  /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : undefined;

const none = { tokens: [], total: 0, error: undefined };

/**
 * The tokens that match a text, the largest first; the token itself for a full address, registered or not; for an empty text, those
 * that are traded most at the moment.
 *
 * @param text undefined if nothing is to be suggested
 */
export function useSuggestions(text: string | undefined): Suggestions {
  const [suggestions, setSuggestions] = useState<Omit<Suggestions, "isCurrent"> & { of?: string }>(none);
  const chain = chainId.value;
  useEffect(() => {
    if (text === undefined) return;
    return readSoon(text === "" ? 0 : debounceMs, (signal) => readSuggestions(text, chain, signal), {
      onAnswer: (page) => setSuggestions({ ...page, error: undefined, of: text }),
      onFailure(error) {
        setSuggestions({ ...none, error, of: text });
        return true;
      },
    });
  }, [text, chain]);
  const { of, ...answer } = suggestions;
  // An answer to what was typed before helps until the next one; those to nothing and to something don't mix.
  const isOfOther = text === undefined || (text === "") !== (of === "");
  return { ...(isOfOther ? none : answer), isCurrent: text === undefined || of === text };
}

/** @param signal aborts the search: the service lets each client search once at a time */
async function readSuggestions(text: string, chain: 56 | 97 | undefined, signal: AbortSignal) {
  const address = addressIn(text);
  const shared = { fields: fields.join(","), chainId: chain };
  if (address !== undefined) {
    try {
      const token = (await client.token(address, shared)) as unknown as Suggestion;
      return { tokens: [token], total: 1 };
    } catch (error) {
      // An account, or a token that isn't indexed yet.
      if (error instanceof LaunchpadError && error.status < 500) return none;
      throw error;
    }
  }
  const read = async (query: { sort: "trending" | "marketcap"; q?: string; typos?: true }) => {
    const all = { ...shared, limit: maxSuggestions, ...query };
    const { tokens, total } = await dataOf(api.GET("/api/tokens", { params: { query: all }, signal }));
    return { tokens: tokens as unknown as Suggestion[], total };
  };
  if (text === "") {
    const { tokens } = await read({ sort: "trending" });
    return { tokens, total: tokens.length };
  }
  const query = { q: text, sort: "marketcap" } as const;
  const found = await read(query);
  if (found.total > 0) return found;
  const { tokens } = await read({ ...query, typos: true });
  return { tokens, total: tokens.length, isSimilar: true };
}

/* What the visitor searched or opened last, stored in the browser. */

/** A search, or a token that was opened from its suggestions. */
export type Recent =
  | { kind: "search"; text: string }
  | { kind: "token"; mint: string; name: string; symbol: string; imageUrl: string | null };

const storageKey = "recent-searches";
const maxRecent = 6;

export const recentSearches = signal<Recent[]>(readRecent());

/** Puts an entry first, in place of an older one of the same search or token. */
export function noteRecent(entry: Recent): void {
  const others = recentSearches.value.filter((search) => identityOf(search) !== identityOf(entry));
  writeRecent([entry, ...others].slice(0, maxRecent));
}

export const clearRecent = () => writeRecent([]);

const identityOf = (entry: Recent) => (entry.kind === "search" ? entry.text.toLowerCase() : entry.mint);

function writeRecent(entries: Recent[]): void {
  recentSearches.value = entries;
  writeStored(storageKey, JSON.stringify(entries));
}

function readRecent(): Recent[] {
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
