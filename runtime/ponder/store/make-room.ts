import type { KeptRows } from "./kept-rows.ts";
import type { Common, Row } from "./ponder-parts.ts";

/** Rows of a table whose size is looked at. */
const sampled = 100;

/** Bytes of what leads to a row: its entry in a map, and its part of the maps around that. */
const overhead = 150;

/** No longer keeps all rows of the largest tables, until what is kept fits into memory. Nothing may be unwritten. */
export function makeRoom(all: KeptRows[], { options, logger }: Pick<Common, "options" | "logger">): void {
  const sizes = all
    .filter(({ isComplete }) => isComplete)
    .map((rows) => ({ rows, bytes: bytesOf(rows) }))
    .sort((a, b) => b.bytes - a.bytes);
  let bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  for (const { rows, bytes: freed } of sizes) {
    if (bytes <= options.indexingCacheMaxBytes) return;
    bytes -= freed;
    logger.debug({ msg: "Evicted cached database rows", table: rows.stored.name, row_count: rows.size });
    rows.isComplete = false;
    rows.clear();
  }
}

/** About how much memory the rows take, in bytes. */
function bytesOf(rows: KeptRows): number {
  const some = rows.some(sampled);
  if (some.length === 0) return 0;
  return (rows.size / some.length) * some.reduce((sum, row) => sum + overhead + rowBytes(row), 0);
}

/** As Ponder reckons. */
function rowBytes(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => sum + 8 + valueBytes(value), 24);
}

function valueBytes(value: unknown): number {
  if (typeof value === "string") return 2 * value.length;
  if (typeof value === "bigint") return 48;
  if (typeof value === "object" && value !== null) return rowBytes(value as Row);
  return 8;
}
