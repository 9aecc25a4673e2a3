import { createHash } from "node:crypto";

/** Returns the SHA-256 of a symbol, as 0x and 64 hex digits. It ignores case and surrounding blanks. */
export function symbolHash(symbol: string): `0x${string}` {
  return `0x${createHash("sha256").update(symbol.trim().toLowerCase()).digest("hex")}`;
}
