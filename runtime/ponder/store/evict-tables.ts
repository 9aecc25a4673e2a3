import type { CachedRows } from "./cached-rows.ts";
import type { Common, Row } from "./ponder-types.ts";

/** Rows per table whose size is measured. */
const sampleSize = 100;

/** Bytes of a row's entry in the maps, and its share of the maps themselves. */
const overheadBytes = 150;

/** Empties the caches of the largest tables until the rest fits into memory. Every row must have been written. */
export function evictLargestTables(
  all: CachedRows[],
  { options, logger }: Pick<Common, "options" | "logger">,
): void {
  const sizes = all
    .filter(({ isComplete }) => isComplete)
    .map((rows) => ({ rows, bytes: estimateBytes(rows) }))
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

/** Estimates how much memory the rows take, in bytes. */
function estimateBytes(rows: CachedRows): number {
  const sample = rows.sample(sampleSize);
  if (sample.length === 0) return 0;
  return (rows.size / sample.length) * sample.reduce((sum, row) => sum + overheadBytes + rowBytes(row), 0);
}

/** Estimated as Ponder does. */
function rowBytes(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => sum + 8 + valueBytes(value), 24);
}

function valueBytes(value: unknown): number {
  if (typeof value === "string") return 2 * value.length;
  if (typeof value === "bigint") return 48;
  if (typeof value === "object" && value !== null) return rowBytes(value as Row);
  return 8;
}
