import { createHash } from "node:crypto";

/** SHA-256 of a symbol, as 0x and 64 hex digits: the same for symbols that differ only in case and in the blanks around them. */
export function symbolHash(symbol: string): `0x${string}` {
  return `0x${createHash("sha256").update(symbol.trim().toLowerCase()).digest("hex")}`;
}
