import type { Row } from "./ponder-types.ts";
import type { StoredTable } from "./table-columns.ts";

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

type Level = Map<unknown, unknown>;

/**
 * A map keyed by rows' primary keys: nested maps, one for each column of the key, so that keys need not be joined to text. Values
 * of columns are compared as in a Map.
 */
export class RowMap<Value> {
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
