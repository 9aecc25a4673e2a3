import { is } from "drizzle-orm";
import { type PgTable, PgTransaction } from "drizzle-orm/pg-core";
import { type CachedRow, CachedRows, evictLargestTables, predictMissingKeys } from "./cached-rows.ts";
import type { Common, ErrorHandler, IndexedEvent, QueryBuilder, Row, UserError } from "./ponder-types.ts";
import { readRows } from "./read-rows.ts";
import { changedRow, keyText, newRow, normalizedKey, storedTable, tablesOf } from "./table-columns.ts";
import { signalFlush, writeRows } from "./write-rows.ts";

/**
 * Creates the handlers' `context.db`, as far as Ponder documents it and they use it: find, insert and update single rows by primary key.
 * Nearly every row is cached and found at once. Rows are replaced, never mutated; in development they are frozen, so that a handler that mutates one
 * fails.
 */
export function createIndexingStore({
  indexingCache: cache,
  indexingErrorHandler: errorHandler,
  NonRetryableUserError: UserError,
}: {
  indexingCache: IndexingCache;
  indexingErrorHandler: ErrorHandler;
  NonRetryableUserError: UserError;
}) {
  let isProcessingEvents = true;
  const access = createRowAccess({ cache, errorHandler, UserError });

  function rowsOf(table: PgTable, method: "find" | "insert" | "update"): CachedRows {
    if (!isProcessingEvents) {
      throw new UserError(`db.${method}() was called after the handler had returned: await each call of it.`);
    }
    const rows = cache.rowsOf(table);
    if (rows === undefined) throw new UserError(`db.${method}() needs a table of ponder.schema.ts.`);
    rows.calls[method] += 1;
    return rows;
  }

  return {
    db: {
      find: (table: PgTable, key: Row) => access.find(rowsOf(table, "find"), key),
      insert: (table: PgTable) => {
        const rows = rowsOf(table, "insert");
        return { values: (values: Row) => new Insertion(access, rows, values) };
      },
      update: (table: PgTable, key: Row) => {
        const rows = rowsOf(table, "update");
        return { set: (change: Change) => access.update(rows, key, change) };
      },
      delete(): never {
        throw new UserError("No row is ever deleted: there is no db.delete() here.");
      },
      get sql(): never {
        throw new UserError("Handlers find, insert and update rows by primary key: there is no db.sql here.");
      },
    },
    set isProcessingEvents(is: boolean) {
      isProcessingEvents = is;
    },
    /** Ponder sets this for `db.sql`. */
    set qb(_: unknown) {},
  };
}

/** New values for a row, or a function that computes them from the current row. */
type Change = Row | ((row: Row) => Row);

type RowAccess = ReturnType<typeof createRowAccess>;

/** Finds, inserts and updates single rows. */
function createRowAccess({
  cache,
  errorHandler,
  UserError,
}: {
  cache: Pick<IndexingCache, "find">;
  errorHandler: ErrorHandler;
  UserError: UserError;
}) {
  const frozenInDevelopment = process.argv.includes("dev")
    ? (row: Row): Row => Object.freeze(row)
    : (row: Row) => row;

  /** Passes a row's cache entry to `use`, without waiting if it is cached. */
  function withRow<T>(rows: CachedRows, key: Row, use: (cached: CachedRow | undefined) => T): Promise<T> {
    const cached = cache.find(rows, key);
    if (cached instanceof Promise) return onceRead(cached, use);
    try {
      return Promise.resolve(use(cached));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  function onceRead<T>(
    cached: Promise<CachedRow | undefined>,
    use: (cached: CachedRow | undefined) => T,
  ): Promise<T> {
    return cached.then(use, (error: unknown) => {
      // Even if the handler catches the error, these events are indexed again.
      errorHandler.setRetryableError(error);
      throw error;
    });
  }

  function insertRow(rows: CachedRows, values: Row): Row {
    const row = frozenInDevelopment(newRow(rows.stored, values, UserError));
    rows.insert(row);
    return row;
  }

  function updateRow(rows: CachedRows, cached: CachedRow, before: Row, change: Change): Row {
    const values = typeof change === "function" ? change(before) : change;
    const row = frozenInDevelopment(changedRow(rows.stored, before, values, UserError));
    rows.update(cached, row);
    return row;
  }

  return {
    // Without functions to pass: this is called several times for each event.
    find(rows: CachedRows, key: Row): Promise<Row | null> {
      const cached = cache.find(rows, key);
      if (cached instanceof Promise) return onceRead(cached, (read) => read?.row ?? null);
      return Promise.resolve(cached?.row ?? null);
    },

    /** Does not ask the database, which itself refuses a second row with the same key. */
    insert(rows: CachedRows, values: Row): Promise<Row> {
      try {
        const cached = rows.get(values);
        if (cached === undefined || cached.row === null) return Promise.resolve(insertRow(rows, values));
        throw new UserError(`${rows.stored.name} has a row of ${keyText(rows.stored, values)} already.`);
      } catch (error) {
        return Promise.reject(error);
      }
    },

    insertOrIgnore: (rows: CachedRows, values: Row): Promise<Row | null> =>
      withRow(rows, values, (cached) =>
        cached === undefined || cached.row === null ? insertRow(rows, values) : null,
      ),

    insertOrUpdate: (rows: CachedRows, values: Row, change: Change): Promise<Row> =>
      withRow(rows, values, (cached) =>
        cached === undefined || cached.row === null
          ? insertRow(rows, values)
          : updateRow(rows, cached, cached.row, change),
      ),

    update: (rows: CachedRows, key: Row, change: Change): Promise<Row> =>
      withRow(rows, key, (cached) => {
        if (cached !== undefined && cached.row !== null) return updateRow(rows, cached, cached.row, change);
        throw new UserError(`${rows.stored.name} has no row of ${keyText(rows.stored, key)} to update.`);
      }),
  };
}

/** The result of `db.insert(table).values(...)`. */
class Insertion implements PromiseLike<Row> {
  readonly #access: RowAccess;
  readonly #rows: CachedRows;
  readonly #values: Row;

  constructor(access: RowAccess, rows: CachedRows, values: Row) {
    this.#access = access;
    this.#rows = rows;
    this.#values = values;
  }

  onConflictDoNothing() {
    return this.#access.insertOrIgnore(this.#rows, this.#values);
  }

  onConflictDoUpdate(change: Change) {
    return this.#access.insertOrUpdate(this.#rows, this.#values, change);
  }

  /** Inserts without conflict handling: throws if there is a row with the key already. */
  // biome-ignore lint/suspicious/noThenProperty: Ponder's insertion can be awaited too.
  then<A, B>(
    onInserted?: ((row: Row) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#insert().then(onInserted, onError) as Promise<A | B>;
  }

  catch<B>(onError: (error: unknown) => B | PromiseLike<B>) {
    return this.#insert().catch(onError);
  }

  finally(onEnd: () => void) {
    return this.#insert().finally(onEnd);
  }

  #insert(): Promise<Row> {
    return this.#access.insert(this.#rows, this.#values);
  }
}

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
