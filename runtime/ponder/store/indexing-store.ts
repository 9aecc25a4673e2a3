import type { PgTable } from "drizzle-orm/pg-core";
import type { IndexingCache } from "./indexing-cache.ts";
import { Insertion } from "./insertion.ts";
import type { KeptRows } from "./kept-rows.ts";
import type { ErrorHandler, Row, UserError } from "./ponder-parts.ts";
import { type Change, createRowAccess } from "./row-access.ts";

/**
 * What handlers get as `context.db`, as Ponder documents it: find, insert, update and delete by primary key. A row that is in
 * memory, as nearly every one is, is found at once. Rows are replaced, never changed; in development they are frozen, so
 * that a handler fails which changes one.
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

  function rowsOf(table: PgTable, method: "find" | "insert" | "update" | "delete"): KeptRows {
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
    /** Ponder sets it for `db.sql`. */
    set qb(_: unknown) {},
  };
}
