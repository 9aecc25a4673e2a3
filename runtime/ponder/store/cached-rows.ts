import type { PgTable } from "drizzle-orm/pg-core";
import type { Common, IndexedEvent, Row, RowKey } from "./ponder-types.ts";
import { normalizedKey, type StoredTable } from "./table-columns.ts";

/** A cache entry. Its row is null if the database is known to have none. */
export type CachedRow = {
  row: Row | null;
  /** How it still has to be written, if at all. */
  unwritten: "insert" | "update" | null;
};

/**
 * A table's cached rows: all that exist, or the most recently used ones. The indexer is the only writer, so what it has written is
 * what the database has.
 */
export class CachedRows {
  readonly stored: StoredTable;
  /** Whether all existing rows are cached. */
  isComplete: boolean;
  /** Lookups that found their row in the cache, and lookups that didn't. */
  hits = 0;
  misses = 0;
  /** How often handlers called each method of the store. */
  readonly calls = { find: 0, insert: 0, update: 0 };
  inserts: CachedRow[] = [];
  updates: CachedRow[] = [];
  readonly #minCachedRows: number;
  /** The last lookup: most rows are found and then changed, and a transaction's events change the same ones. */
  #lastKey: Row | undefined;
  #last: CachedRow | undefined;
  /** The key's columns, the one with the most values first. */
  readonly #keyNames: readonly string[];
  #recent: RowMap<CachedRow>;
  #older: RowMap<CachedRow>;

  constructor(stored: StoredTable, { isEmpty, minCachedRows }: { isEmpty: boolean; minCachedRows: number }) {
    this.stored = stored;
    this.#minCachedRows = minCachedRows;
    const keys = stored.keys.map(({ name }) => name);
    this.#keyNames = keys.toReversed();
    this.isComplete = isEmpty && !stored.isWrittenOnce;
    this.#recent = new RowMap(keys);
    this.#older = new RowMap(keys);
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  get(key: Row): CachedRow | undefined {
    if (this.#isLast(key)) return this.#last;
    const cached = this.#find(key);
    this.#lastKey = key;
    this.#last = cached;
    return cached;
  }

  /** Comparing a few values is much faster than a lookup in nested maps of many rows. */
  #isLast(key: Row): boolean {
    const last = this.#lastKey;
    if (last === undefined || key === last) return key === last;
    for (const name of this.#keyNames) if (last[name] !== key[name]) return false;
    return true;
  }

  #find(key: Row): CachedRow | undefined {
    const cached = this.#recent.get(key);
    if (cached !== undefined || this.#older.size === 0) return cached;
    const row = this.#older.get(key);
    if (row === undefined) return undefined;
    this.#older.delete(key);
    this.#recent.set(key, row);
    return row;
  }

  /** Caches what the database has for a key: its row, or null for none. */
  cache(key: Row, row: Row | null): CachedRow {
    const cached: CachedRow = { row, unwritten: null };
    this.#forgetLast();
    this.#recent.set(key, cached);
    return cached;
  }

  insert(row: Row): void {
    const cached = this.get(row) ?? this.cache(row, null);
    cached.row = row;
    cached.unwritten = "insert";
    this.inserts.push(cached);
  }

  /** A row that isn't written yet will be written in its latest state. */
  update(cached: CachedRow, row: Row): void {
    cached.row = row;
    if (cached.unwritten !== null) return;
    cached.unwritten = "update";
    this.updates.push(cached);
  }

  /** Returns up to this many rows. */
  sample(count: number): Row[] {
    const rows: Row[] = [];
    for (const { row } of this.#recent.values()) {
      if (rows.length >= count) break;
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  /** Marks all rows as written. */
  markWritten(): void {
    for (const cached of this.inserts) cached.unwritten = null;
    for (const cached of this.updates) cached.unwritten = null;
    this.inserts = [];
    this.updates = [];
    if (this.stored.isWrittenOnce) this.#drop();
  }

  /** Evicts the least recently used rows if there are too many. Every row must have been written. */
  evict(): void {
    if (this.isComplete || this.#recent.size <= this.#minCachedRows) return;
    this.#forgetLast();
    this.#older = this.#recent;
    this.#recent = new RowMap(this.stored.keys.map(({ name }) => name));
  }

  resetUsage(): void {
    this.hits = 0;
    this.misses = 0;
    Object.assign(this.calls, { find: 0, insert: 0, update: 0 });
  }

  /** From now on rows may exist that aren't cached. */
  invalidate(): void {
    this.isComplete = false;
    // More than an incomplete cache may hold.
    if (this.size > 2 * this.#minCachedRows && this.inserts.length + this.updates.length === 0) this.#drop();
  }

  clear(): void {
    this.inserts = [];
    this.updates = [];
    this.#drop();
  }

  #forgetLast(): void {
    this.#lastKey = undefined;
    this.#last = undefined;
  }

  #drop(): void {
    this.#forgetLast();
    this.#recent.clear();
    this.#older.clear();
  }
}

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

type Level = Map<unknown, unknown>;

/**
 * A map keyed by rows' primary keys: nested maps, one for each column of the key, so that keys need not be joined to text. Values
 * of columns are compared as in a Map.
 */
class RowMap<Value> {
  readonly #keys: readonly string[];
  readonly #last: string;
  readonly #root: Level = new Map();
  size = 0;

  /** @param keys the names of the key's columns, the one with the fewest values first */
  constructor(keys: readonly string[]) {
    this.#keys = keys.slice(0, -1);
    this.#last = keys.at(-1) ?? "";
  }

  get(key: Row): Value | undefined {
    let level: Level | undefined = this.#root;
    for (const name of this.#keys) {
      level = level.get(key[name]) as Level | undefined;
      if (level === undefined) return undefined;
    }
    return level.get(key[this.#last]) as Value | undefined;
  }

  set(key: Row, value: Value): void {
    let level = this.#root;
    for (const name of this.#keys) {
      let next = level.get(key[name]) as Level | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(key[name], next);
      }
      level = next;
    }
    const sizeBefore = level.size;
    level.set(key[this.#last], value);
    this.size += level.size - sizeBefore;
  }

  delete(key: Row): void {
    let level: Level | undefined = this.#root;
    for (const name of this.#keys) {
      level = level.get(key[name]) as Level | undefined;
      if (level === undefined) return;
    }
    if (level.delete(key[this.#last])) this.size -= 1;
  }

  *values(): Generator<Value> {
    yield* valuesOf<Value>(this.#root, this.#keys.length);
  }

  clear(): void {
    this.#root.clear();
    this.size = 0;
  }
}

function* valuesOf<Value>(level: Level, depth: number): Generator<Value> {
  if (depth === 0) yield* level.values() as Iterable<Value>;
  else for (const next of level.values()) yield* valuesOf<Value>(next as Level, depth - 1);
}
