import type { PgTable } from "drizzle-orm/pg-core";
import type { CachedRows } from "./cached-rows.ts";
import type { IndexingCache } from "./indexing-cache.ts";
import type { ErrorHandler, Row, UserError } from "./ponder-types.ts";
import { type Change, createRowAccess, Insertion } from "./row-access.ts";

/**
 * Creates the handlers' `context.db`, as Ponder documents it: find, insert, update and delete by primary key. Nearly every row is
 * cached and found at once. Rows are replaced, never mutated; in development they are frozen, so that a handler that mutates one
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

  function rowsOf(table: PgTable, method: "find" | "insert" | "update" | "delete"): CachedRows {
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
        return { values: (values: Row | Row[]) => new Insertion(access, rows, values) };
      },
      update: (table: PgTable, key: Row) => {
        const rows = rowsOf(table, "update");
        return { set: (change: Change) => access.update(rows, key, change) };
      },
      delete: (table: PgTable, key: Row) => cache.delete(rowsOf(table, "delete"), key),
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
