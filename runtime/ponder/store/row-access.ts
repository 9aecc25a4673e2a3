import type { IndexingCache } from "./indexing-cache.ts";
import type { KeptRow, KeptRows } from "./kept-rows.ts";
import { changedRow, newRow } from "./new-row.ts";
import type { ErrorHandler, Row, UserError } from "./ponder-parts.ts";
import { keyText } from "./table-columns.ts";

/** What a row changes to: values, or what is made of the row as it is. */
export type Change = Row | ((row: Row) => Row);

export type RowAccess = ReturnType<typeof createRowAccess>;

/** How one row is found, inserted and updated. */
export function createRowAccess({
  cache,
  errorHandler,
  UserError,
}: {
  cache: Pick<IndexingCache, "find">;
  errorHandler: ErrorHandler;
  UserError: UserError;
}) {
  const given = process.argv.includes("dev") ? (row: Row): Row => Object.freeze(row) : (row: Row) => row;

  /** What is known of a row, which `use` gets: at once if the row is in memory. */
  function withRow<T>(rows: KeptRows, key: Row, use: (kept: KeptRow | undefined) => T): Promise<T> {
    const kept = cache.find(rows, key);
    if (!(kept instanceof Promise)) {
      try {
        return Promise.resolve(use(kept));
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return kept.then(use, (error: unknown) => {
      // Whatever the handler makes of it, these events are indexed once more.
      errorHandler.setRetryableError(error);
      throw error;
    });
  }

  function inserted(rows: KeptRows, values: Row): Row {
    const row = given(newRow(rows.stored, values, UserError));
    rows.insert(row);
    return row;
  }

  function updated(rows: KeptRows, kept: KeptRow, before: Row, change: Change): Row {
    const values = typeof change === "function" ? change(before) : change;
    const row = given(changedRow(rows.stored, before, values, UserError));
    rows.update(kept, row);
    return row;
  }

  return {
    find: (rows: KeptRows, key: Row): Promise<Row | null> => withRow(rows, key, (kept) => kept?.row ?? null),

    /** Without a look into the database, which refuses a second row of a key itself. */
    insert(rows: KeptRows, values: Row): Promise<Row> {
      const kept = rows.get(values);
      if (kept === undefined || kept.row === null) return Promise.resolve(inserted(rows, values));
      throw new UserError(`${rows.stored.name} has a row of ${keyText(rows.stored, values)} already.`);
    },

    insertUnlessThere: (rows: KeptRows, values: Row): Promise<Row | null> =>
      withRow(rows, values, (kept) =>
        kept === undefined || kept.row === null ? inserted(rows, values) : null,
      ),

    insertOrUpdate: (rows: KeptRows, values: Row, change: Change): Promise<Row> =>
      withRow(rows, values, (kept) =>
        kept === undefined || kept.row === null
          ? inserted(rows, values)
          : updated(rows, kept, kept.row, change),
      ),

    update: (rows: KeptRows, key: Row, change: Change): Promise<Row> =>
      withRow(rows, key, (kept) => {
        if (kept !== undefined && kept.row !== null) return updated(rows, kept, kept.row, change);
        throw new UserError(`${rows.stored.name} has no row of ${keyText(rows.stored, key)} to update.`);
      }),
  };
}
