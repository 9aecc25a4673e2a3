import type { CachedRow, CachedRows } from "./cached-rows.ts";
import type { IndexingCache } from "./indexing-cache.ts";
import { changedRow, newRow } from "./new-row.ts";
import type { ErrorHandler, Row, UserError } from "./ponder-types.ts";
import { keyText } from "./table-columns.ts";

/** New values for a row, or a function that computes them from the current row. */
export type Change = Row | ((row: Row) => Row);

export type RowAccess = ReturnType<typeof createRowAccess>;

/** Finds, inserts and updates single rows. */
export function createRowAccess({
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
    if (!(cached instanceof Promise)) {
      try {
        return Promise.resolve(use(cached));
      } catch (error) {
        return Promise.reject(error);
      }
    }
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
    find: (rows: CachedRows, key: Row): Promise<Row | null> =>
      withRow(rows, key, (cached) => cached?.row ?? null),

    /** Does not ask the database, which itself refuses a second row with the same key. */
    insert(rows: CachedRows, values: Row): Promise<Row> {
      const cached = rows.get(values);
      if (cached === undefined || cached.row === null) return Promise.resolve(insertRow(rows, values));
      throw new UserError(`${rows.stored.name} has a row of ${keyText(rows.stored, values)} already.`);
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
