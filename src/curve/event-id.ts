/**
 * The id of an event: `<block>-<log index>`, padded to 12 and 6 digits, so that ids sort as text in the order of the
 * chain.
 */
export function eventId(block: bigint | number | string, logIndex = 0): string {
  return `${startOfBlock(block)}-${String(logIndex).padStart(6, "0")}`;
}

/** The block number of an id, or of a {@link startOfBlock}. */
export function blockOf(place: string): number {
  return Number(place.split("-")[0]);
}

/** Sorts before the id of every event of the block. */
export function startOfBlock(block: bigint | number | string): string {
  return String(block).padStart(12, "0");
}
