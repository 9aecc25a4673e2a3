import type { PgTable } from "drizzle-orm/pg-core";
import type { CachedRows } from "./cached-rows.ts";
import type { IndexedEvent, Row, RowKey } from "./ponder-types.ts";
import { RowMap } from "./row-map.ts";
import { normalizedKey } from "./table-columns.ts";

/** Returns the row with a key if it is cached; null if it is known not to exist. */
export type Peek = (table: PgTable, key: Row) => Row | null | undefined;

/** A handler may have `rowsRead`, which returns the rows that it will read for an event, as far as they can be predicted. */
type Reader = { rowsRead?: (event: object, chainId: number, peek: Peek) => RowKey[] };

/** Returns the keys of the rows that the events' handlers will read and that aren't cached. */
export function predictMissingKeys(
  events: IndexedEvent[],
  cached: ReadonlyMap<PgTable, CachedRows>,
): Map<CachedRows, Row[]> {
  const missing = new Map<CachedRows, Row[]>();
  if ([...cached.values()].every(({ isComplete, stored }) => isComplete || stored.isWrittenOnce))
    return missing;
  const seen = new Map<CachedRows, RowMap<true>>();
  const peek: Peek = (table, key) => cached.get(table)?.get(key)?.row;

  for (const { event, eventCallback, chain } of events) {
    const reader = eventCallback.fn as Reader;
    for (const { table, key: given } of reader.rowsRead?.(event, chain.id, peek) ?? []) {
      const rows = cached.get(table);
      if (rows === undefined || rows.isComplete || rows.get(given) !== undefined) continue;
      const key = normalizedKey(rows.stored, given);
      const keys = seen.get(rows) ?? new RowMap<true>(rows.stored.keys.map(({ name }) => name));
      if (rows.get(key) !== undefined || keys.get(key)) continue;
      keys.set(key, true);
      seen.set(rows, keys);
      const missingOfTable = missing.get(rows);
      if (missingOfTable === undefined) missing.set(rows, [key]);
      else missingOfTable.push(key);
    }
  }
  return missing;
}
