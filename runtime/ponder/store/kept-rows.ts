import type { Row } from "./ponder-parts.ts";
import { RowMap } from "./row-map.ts";
import type { StoredTable } from "./table-columns.ts";

/** A row in memory; null if the database is known to have none. */
export type KeptRow = {
  row: Row | null;
  /** What is still to be written of it. */
  unwritten: "insert" | "update" | null;
};

/**
 * The rows of a table that are in memory: all that there are, or the ones that were used last. Whoever indexes is the only writer, so
 * that what was written is what the database has.
 */
export class KeptRows {
  readonly stored: StoredTable;
  /** Whether a row that isn't here doesn't exist. */
  isComplete: boolean;
  /** How often a row was looked for that was here, and that wasn't. */
  hits = 0;
  misses = 0;
  /** How often handlers called each method of the store. */
  readonly calls = { find: 0, insert: 0, update: 0, delete: 0 };
  inserts: KeptRow[] = [];
  updates: KeptRow[] = [];
  readonly #keptAtLeast: number;
  /** What was looked for last: most rows are found and then updated, by the same key. */
  #lastKey: Row | undefined;
  #last: KeptRow | undefined;
  #used: RowMap<KeptRow>;
  #unused: RowMap<KeptRow>;

  constructor(stored: StoredTable, { isEmpty, keptAtLeast }: { isEmpty: boolean; keptAtLeast: number }) {
    this.stored = stored;
    this.#keptAtLeast = keptAtLeast;
    const keys = stored.keys.map(({ name }) => name);
    this.isComplete = isEmpty && !stored.isWrittenOnce;
    this.#used = new RowMap(keys);
    this.#unused = new RowMap(keys);
  }

  get size(): number {
    return this.#used.size + this.#unused.size;
  }

  get(key: Row): KeptRow | undefined {
    if (key === this.#lastKey) return this.#last;
    const kept = this.#find(key);
    this.#lastKey = key;
    this.#last = kept;
    return kept;
  }

  #find(key: Row): KeptRow | undefined {
    const kept = this.#used.get(key);
    if (kept !== undefined || this.#unused.size === 0) return kept;
    const found = this.#unused.get(key);
    if (found === undefined) return undefined;
    this.#unused.delete(key);
    this.#used.set(key, found);
    return found;
  }

  /** Keeps what the database has at that key: the row, or that there is none. */
  keep(key: Row, row: Row | null): KeptRow {
    const kept: KeptRow = { row, unwritten: null };
    this.#lastKey = undefined;
    this.#used.set(key, kept);
    return kept;
  }

  insert(row: Row): void {
    const kept = this.get(row) ?? this.keep(row, null);
    kept.row = row;
    kept.unwritten = "insert";
    this.inserts.push(kept);
  }

  /** One that isn't written yet is written as it is by then. */
  update(kept: KeptRow, row: Row): void {
    kept.row = row;
    if (kept.unwritten !== null) return;
    kept.unwritten = "update";
    this.updates.push(kept);
  }

  /** Returns whether it was not written yet. */
  delete(key: Row): boolean {
    const kept = this.get(key);
    if (kept === undefined) return false;
    const wasUnwritten = kept.unwritten === "insert";
    this.inserts = this.inserts.filter((other) => other !== kept);
    this.updates = this.updates.filter((other) => other !== kept);
    kept.row = null;
    kept.unwritten = null;
    return wasUnwritten;
  }

  /** Up to so many rows. */
  some(count: number): Row[] {
    const rows: Row[] = [];
    for (const { row } of this.#used.values()) {
      if (rows.length >= count) break;
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  /** Everything is written. */
  settle(): void {
    for (const kept of this.inserts) kept.unwritten = null;
    for (const kept of this.updates) kept.unwritten = null;
    this.inserts = [];
    this.updates = [];
    if (this.stored.isWrittenOnce) this.#drop();
  }

  /** Forgets what was used longest ago, if there are too many. Nothing may be unwritten. */
  shrink(): void {
    if (this.isComplete || this.#used.size <= this.#keptAtLeast) return;
    this.#lastKey = undefined;
    this.#unused = this.#used;
    this.#used = new RowMap(this.stored.keys.map(({ name }) => name));
  }

  forgetUse(): void {
    this.hits = 0;
    this.misses = 0;
    Object.assign(this.calls, { find: 0, insert: 0, update: 0, delete: 0 });
  }

  /** Rows may exist that aren't here. */
  invalidate(): void {
    this.isComplete = false;
    // More than are kept from now on.
    if (this.size > 2 * this.#keptAtLeast && this.inserts.length + this.updates.length === 0) this.#drop();
  }

  clear(): void {
    this.inserts = [];
    this.updates = [];
    this.#drop();
  }

  #drop(): void {
    this.#lastKey = undefined;
    this.#last = undefined;
    this.#used.clear();
    this.#unused.clear();
  }
}
