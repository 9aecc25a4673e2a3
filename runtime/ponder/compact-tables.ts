import type { PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { briefLockTimeout, retryWhileLocked } from "../../offchain/connection.ts";
import type { QueryBuilder } from "./store/ponder-types.ts";
import { type StoredTable, storedTable, tablesOf } from "./store/table-columns.ts";

/** Tables that are compacted, and indexes that are created, concurrently: one at a time leaves a processor idle. */
const maxConcurrent = 3;

/**
 * Percent of a page to fill, for tables whose updates change no indexed column: with room in the row's own page, Postgres writes no
 * index.
 */
const pageShares: Readonly<Record<string, number>> = { token: 80 };

/** A connection of Ponder, which knows all tables of the schema. */
type Connection = QueryBuilder & { _: { fullSchema: Record<string, unknown> } };

/** Ends a backfill, in place of Ponder's `createIndexes`: compacts the tables and creates their indexes. */
export async function createIndexes(
  qb: Connection,
  { statements }: { statements: { indexes: { sql: string[] } } },
): Promise<void> {
  await compactTables(qb, tablesOf(qb._.fullSchema), console.warn);
  await createIndexesConcurrently(qb, statements.indexes.sql);
}

/**
 * Rewrites the tables in the order of their primary keys at the end of the backfill that filled them. Updates have left a tenth
 * of their pages and a quarter of their primary keys' indexes empty; afterwards they are full, and the rows of a token are next to
 * each other. Tables whose rows are written once have no empty space. This needs as much disk space again as the largest tables;
 * a table for which it fails stays as it is.
 */
export async function compactTables(
  qb: QueryBuilder,
  tables: PgTable[],
  warn: (message: string) => void,
  shares = pageShares,
): Promise<void> {
  const stored = tables.map(storedTable);
  if (await haveIndexes(qb, stored)) return;
  const updated = stored.filter(({ isWrittenOnce }) => !isWrittenOnce);
  await forEachConcurrently(updated, (table) =>
    retryWhileLocked(() => compact(qb, table, shares[table.name] ?? 100)).catch((error: Error) =>
      warn(`left the table ${table.name} as it is, with some room to spare: ${error.message}`),
    ),
  );
}

/** Creates the indexes of a backfill's tables. Each has its own transaction. */
export async function createIndexesConcurrently(qb: QueryBuilder, statements: string[]): Promise<void> {
  await forEachConcurrently(statements, (text) =>
    qb.wrap({ label: "create_indexes" }, () =>
      qb.$client.query({ text: `set local statement_timeout = '60min'; ${text}` }),
    ),
  );
}

async function forEachConcurrently<Item>(
  items: Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const remaining = items.values();
  await Promise.all(
    Array.from({ length: maxConcurrent }, async () => {
      for (const item of remaining) await work(item);
    }),
  );
}

/** Whether a backfill has finished before: right after this, indexes are created. */
async function haveIndexes(qb: QueryBuilder, tables: StoredTable[]): Promise<boolean> {
  const text = "select 1 from pg_index where indrelid = any($1::regclass[]) and not indisprimary limit 1";
  const values = [tables.map(({ sqlName }) => sqlName)];
  const { rows } = await qb.wrap({ label: "compact_tables" }, () => qb.$client.query({ text, values }));
  return rows.length > 0;
}

async function compact(qb: QueryBuilder, { sqlName }: StoredTable, share: number): Promise<void> {
  // Without pages there is nothing to rewrite, as on a chain that is followed from its first block.
  const text = `select relname from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = $1::regclass and indisprimary and pg_relation_size(indrelid) > 0`;
  const { rows } = await qb.$client.query({ text, values: [sqlName] });
  if (rows.length === 0) return;
  const key = pg.escapeIdentifier(String(rows[0]?.relname));
  // All statements of one message are one transaction, and the settings end with it.
  const settings = `set local statement_timeout = 0; set local lock_timeout = '${briefLockTimeout}'`;
  const filled = `alter table ${sqlName} set (fillfactor = ${share})`;
  await qb.$client.query({ text: `${settings}; ${filled}; cluster ${sqlName} using ${key}` });
}
