import type { PgTable } from "drizzle-orm/pg-core";
import type { KeptRows } from "./kept-rows.ts";
import type { IndexedEvent, Row, RowKey } from "./ponder-parts.ts";
import { RowMap } from "./row-map.ts";
import { exactKey } from "./table-columns.ts";

/** The row with that key, if it is in memory. */
export type Peek = (table: PgTable, key: Row) => Row | null | undefined;

/** What a handler may have: the rows that it will look at for an event, as far as they are known by now. */
type Reader = { rowsRead?: (event: object, chainId: number, peek: Peek) => RowKey[] };

/** Keys of the rows that the events' handlers will look at and that are not in memory. */
export function missingRows(
  events: IndexedEvent[],
  kept: ReadonlyMap<PgTable, KeptRows>,
): Map<KeptRows, Row[]> {
  const missing = new Map<KeptRows, Row[]>();
  if ([...kept.values()].every(({ isComplete, stored }) => isComplete || stored.isWrittenOnce))
    return missing;
  const seen = new Map<KeptRows, RowMap<true>>();
  const peek: Peek = (table, key) => kept.get(table)?.get(key)?.row;

  for (const { event, eventCallback, chain } of events) {
    const reader = eventCallback.fn as Reader;
    for (const { table, key: given } of reader.rowsRead?.(event, chain.id, peek) ?? []) {
      const rows = kept.get(table);
      if (rows === undefined || rows.isComplete || rows.get(given) !== undefined) continue;
      const key = exactKey(rows.stored, given);
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
