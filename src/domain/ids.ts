import { createHash } from "node:crypto";

/**
 * Returns the id of an event: `<block>-<log index>`, padded to 12 and 6 digits, so that ids sort as text in the order of
 * the chain.
 */
export function eventId(block: bigint | number | string, logIndex = 0): string {
  return `${startOfBlock(block)}-${String(logIndex).padStart(6, "0")}`;
}

/** Parses the block number of an event id, or of a {@link startOfBlock}. */
export function eventBlock(id: string): number {
  return Number(id.split("-")[0]);
}

/** Returns a text that sorts before the ids of all events of the block. */
export function startOfBlock(block: bigint | number | string): string {
  return String(block).padStart(12, "0");
}

/** Returns the SHA-256 of a symbol, as 0x and 64 hex digits. It ignores case and surrounding blanks. */
export function symbolHash(symbol: string): `0x${string}` {
  return `0x${createHash("sha256").update(symbol.trim().toLowerCase()).digest("hex")}`;
}
