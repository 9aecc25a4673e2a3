/**
 * The id of an event: ids sort as text in the order of the chain. Block numbers have room for 12 digits, log indexes
 * for 6.
 */
export function eventId(block: bigint | number | string, logIndex = 0): string {
  return `${startOfBlock(block)}-${String(logIndex).padStart(6, "0")}`;
}

/** The block of an id, or of a place that {@link startOfBlock} gives. */
export function blockOf(place: string): number {
  return Number(place.split("-")[0]);
}

/** The place before every event of a block. */
export function startOfBlock(block: bigint | number | string): string {
  return String(block).padStart(12, "0");
}
