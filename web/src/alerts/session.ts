import { signal } from "@preact/signals";

/*
 * Tokens with which wallets manage their alerts, by account and chain. They last as long as the tab, so that a reload asks for no other
 * signature.
 */

const storageKey = "alert-tokens";

const tokens = signal<Record<string, string>>(read());

const key = (owner: string, chainId: number) => `${owner} ${chainId}`;

export const tokenOf = (owner: string, chainId: number): string | undefined =>
  tokens.value[key(owner, chainId)];

/** Keeps a token, or with undefined forgets it. */
export function keepToken(owner: string, chainId: number, token: string | undefined): void {
  const { [key(owner, chainId)]: _, ...others } = tokens.value;
  tokens.value = token === undefined ? others : { ...others, [key(owner, chainId)]: token };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(tokens.value));
  } catch {
    // Forbidden: then it lasts until the page is closed.
  }
}

function read(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? "{}");
  } catch {
    return {};
  }
}
