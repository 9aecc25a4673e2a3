import { t } from "../language/messages.ts";
import { plainText } from "./plain-text.ts";

/** A token's name, or a placeholder if none of it is visible. */
export const displayName = (name: string) => plainText(name, 80) || t.common.noName;
export const displaySymbol = (symbol: string) => plainText(symbol, 24) || t.common.noSymbol;

/** Shortens an address to both ends: 0x1f09…1d17. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
