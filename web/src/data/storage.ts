import { type Signal, signal } from "@preact/signals";

/* What the browser keeps for this site. It may be forbidden, or full: then everything lasts until the page is closed. */

/** What could not be stored. What the browser has of it is older. */
const unstored = new Map<string, string | undefined>();

export function readStored(name: string): string | undefined {
  if (unstored.has(name)) return unstored.get(name);
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, or with undefined removes it. */
export function writeStored(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    unstored.delete(name);
  } catch {
    unstored.set(name, text);
  }
}

/** What {@link writeStored} stored as JSON: of any form, since another version of the page may have. */
export function readStoredJson(name: string): unknown {
  try {
    return JSON.parse(readStored(name) ?? "null");
  } catch {
    return null;
  }
}

/** What is stored as JSON, as a signal that follows the browser's other tabs. */
export function storedJson(name: string): Signal<unknown> {
  const value = signal(readStoredJson(name));
  window.addEventListener("storage", ({ key }) => {
    if (key === name) value.value = readStoredJson(name);
  });
  return value;
}

/** How many tokens, or accounts, a watchlist may have: the API reads as many tokens with one request. */
export const maxStarred = 100;

/** The addresses in a stored list, as many as a watchlist may have. */
export function validAddresses(list: unknown): string[] {
  return (Array.isArray(list) ? list : [])
    .filter((address) => typeof address === "string" && /^0x[0-9a-f]{40}$/.test(address))
    .slice(0, maxStarred);
}
