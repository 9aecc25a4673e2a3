import type { PgTable } from "drizzle-orm/pg-core";
import type { CachedRow, CachedRows } from "./cached-rows.ts";
import type { IndexingCache } from "./indexing-cache.ts";
import type { ErrorHandler, Row, UserError } from "./ponder-types.ts";
import { keyText, type StoredTable } from "./table-columns.ts";

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

/** Builds a row of the table, with each value as Postgres would return it. Throws if a required value is missing. */
function newRow({ name: table, columns }: StoredTable, values: Row, UserError: UserError): Row {
  const row = { ...values };
  for (const { name, normalize, defaultValue } of columns) {
    const value = row[name] ?? defaultValue;
    if (value === undefined) throw new UserError(`${table} needs a value for ${name}.`);
    const normalized = value === null ? null : normalize(value);
    // Setting a value costs more than comparing it, and most are what Postgres would return.
    if (normalized !== row[name]) row[name] = normalized;
  }
  return row;
}

/** Returns the row with changed values. Undefined ones change nothing. */
function changedRow(
  { name: table, columnsByName }: StoredTable,
  before: Row,
  values: Row,
  UserError: UserError,
): Row {
  const row = { ...before };
  for (const name in values) {
    const changed = values[name];
    if (changed === undefined || changed === before[name]) continue;
    const column = columnsByName.get(name);
    if (column === undefined) continue;
    const value = changed === null ? null : column.normalize(changed);
    if (value === null && column.defaultValue !== null)
      throw new UserError(`${table} needs a value for ${name}.`);
    if (column.isKey && value !== before[name])
      throw new UserError(`${name} is part of the key of ${table}: it can't change.`);
    row[name] = value;
  }
  return row;
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
