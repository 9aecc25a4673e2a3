import { signal } from "@preact/signals";

/** The account of the connected wallet, in lower case; undefined if none is connected. */
export const account = signal<string | undefined>(undefined);
