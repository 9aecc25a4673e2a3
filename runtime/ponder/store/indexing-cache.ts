import { is } from "drizzle-orm";
import { type PgTable, PgTransaction } from "drizzle-orm/pg-core";
import { type CachedRow, CachedRows, RowMap } from "./cached-rows.ts";
import type { Common, IndexedEvent, QueryBuilder, Row, RowKey } from "./ponder-types.ts";
import { readRows } from "./read-rows.ts";
import { normalizedKey, storedTable, tablesOf } from "./table-columns.ts";
import { signalFlush, writeRows } from "./write-rows.ts";

/** Two, because the rows of the first round may determine which others an event needs. */
const rounds = 2;

export type IndexingCache = ReturnType<typeof createIndexingCache>;

/** The cache between handlers and the database, which replaces Ponder's: docs/decisions/0003-ponder-pinned.md. */
export function createIndexingCache({
  common,
  schemaBuild: { schema },
  crashRecoveryCheckpoint,
  minCachedRows = 10_000,
}: {
  common: Common;
  schemaBuild: { schema: Record<string, unknown> };
  /** How far the tables are indexed; undefined if they are empty. */
  crashRecoveryCheckpoint: unknown;
  /** The least rows of a table to keep cached once not all of them are. */
  minCachedRows?: number;
}) {
  let qb: QueryBuilder | undefined;
  /** The transaction of the current attempt to index a batch of events. */
  let attempt: QueryBuilder | undefined;
  const tables = tablesOf(schema);
  const isEmpty = crashRecoveryCheckpoint === undefined;
  const cached = new Map(
    tables.map((table) => [table, new CachedRows(storedTable(table), { isEmpty, minCachedRows })]),
  );
  const all = [...cached.values()];
  const { metrics } = common;

  function connection(): QueryBuilder {
    if (qb === undefined) throw new Error("Invariant(store): it is used before it has a connection");
    return qb;
  }

  /** Runs a query on a table and records how long it takes. */
  async function timed<T>(
    rows: CachedRows,
    method: "find" | "load" | "flush",
    query: () => Promise<T>,
  ): Promise<T> {
    const start = performance.now();
    const result = await query();
    const labels = { table: rows.stored.name, method };
    metrics.ponder_indexing_cache_query_duration.observe(labels, performance.now() - start);
    return result;
  }

  async function load(rows: CachedRows, method: "find" | "load", keys: Row[]): Promise<void> {
    const stored = await timed(rows, method, () => readRows(connection(), rows.stored, keys));
    // Rows that are cached already stay: they may have changed during the query.
    for (const row of stored) if (rows.get(row) === undefined) rows.cache(row, row);
    for (const key of keys) if (rows.get(key) === undefined) rows.cache(key, null);
  }

  /** From now on rows may exist that aren't cached. */
  function invalidate(): void {
    for (const rows of all) rows.invalidate();
  }

  /** Forgets everything, including unwritten changes. */
  function clear(): void {
    for (const rows of all) rows.clear();
  }

  function reportUsage(rows: CachedRows): void {
    const { name } = rows.stored;
    const outcome = rows.isComplete ? "complete" : "hit";
    for (const [type, count] of [
      [outcome, rows.hits],
      ["miss", rows.misses],
    ] as const) {
      if (count > 0) metrics.incrementIndexingCacheRequests(name, type, count);
    }
    for (const [method, count] of Object.entries(rows.calls)) {
      if (count > 0) metrics.incrementIndexingStoreQueries(name, method, count);
    }
    rows.resetUsage();
  }

  return {
    rowsOf: (table: PgTable): CachedRows | undefined => cached.get(table),

    /** Finds a row: at once if it is known, or as a promise if the database has to be asked. Undefined if there is none. */
    find(rows: CachedRows, wanted: Row): CachedRow | undefined | Promise<CachedRow | undefined> {
      const row = rows.get(wanted);
      if (row !== undefined) {
        rows.hits += 1;
        return row;
      }
      const key = normalizedKey(rows.stored, wanted);
      const exact = rows.get(key);
      if (exact !== undefined || rows.isComplete) {
        rows.hits += 1;
        return exact;
      }
      rows.misses += 1;
      return load(rows, "find", [key]).then(() => rows.get(key));
    },

    /** Writes all changes. */
    async flush(): Promise<void> {
      signalFlush();
      // In sequence, since they share the transaction's connection.
      for (const rows of all) {
        if (rows.inserts.length + rows.updates.length === 0) continue;
        await timed(rows, "flush", () => writeRows(connection(), rows));
      }
      for (const rows of all) {
        rows.markWritten();
        reportUsage(rows);
      }
    },

    /** Loads the rows that the events' handlers will need. */
    async prefetch({ events }: { events: IndexedEvent[] }): Promise<void> {
      attempt = undefined;
      evictLargestTables(all, common);
      for (const rows of all) rows.evict();
      for (let round = 0; round < rounds; round++) {
        const missing = predictMissingKeys(events, cached);
        if (missing.size === 0) return;
        await Promise.all(
          Array.from(missing, ([rows, keys]) => {
            metrics.incrementIndexingCacheRequests(rows.stored.name, "prefetch", keys.length);
            return load(rows, "load", keys);
          }),
        );
      }
    },

    invalidate,
    clear,

    /** A second transaction for the same events means that the first was not committed, so what it wrote is lost. */
    set qb(next: QueryBuilder) {
      qb = next;
      if (!is(next, PgTransaction) || next === attempt) return;
      if (attempt !== undefined) {
        invalidate();
        clear();
      }
      attempt = next;
    },
    /** Ponder sets this for its own store's messages. */
    set event(_: unknown) {},
  };
}

/** Rows per table whose size is measured. */
const sampleSize = 100;

/** Bytes of a row's entry in the maps, and its share of the maps themselves. */
const overheadBytes = 150;

/** Empties the caches of the largest tables until the rest fits into memory. Every row must have been written. */
function evictLargestTables(
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

/** Returns the row with a key if it is cached; null if it is known not to exist. */
export type Peek = (table: PgTable, key: Row) => Row | null | undefined;

/** A handler may have `rowsRead`, which returns the rows that it will read for an event, as far as they can be predicted. */
type Reader = { rowsRead?: (event: object, chainId: number, peek: Peek) => RowKey[] };

/** Returns the keys of the rows that the events' handlers will read and that aren't cached. */
function predictMissingKeys(
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
