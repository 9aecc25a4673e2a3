import type { PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import type { Common, QueryBuilder } from "./store/ponder-parts.ts";
import { type StoredTable, storedTable } from "./store/table-columns.ts";

/** Tables that are compacted at a time. */
const atOnce = 3;

/**
 * Writes the tables anew in the order of their keys, at the end of the backfill that filled them. Their pages are as full as they can be
 * then, while updates have left a tenth of them empty and a quarter of their keys' indexes; and the rows of a token lie side
 * by side. Tables whose rows are written once have no such room. It takes as much disk as the largest tables once more: where that fails, they stay as they are.
 */
export async function compactTables(
  qb: QueryBuilder,
  tables: PgTable[],
  logger: Common["logger"],
): Promise<void> {
  const stored = tables.map(storedTable);
  if (await haveIndexes(qb, stored)) return;
  const left = stored.filter(({ isWrittenOnce }) => !isWrittenOnce).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const table of left) {
        await compact(qb, table).catch((error: Error) =>
          logger.warn({ msg: "Left a table as it is, with some room to spare", table: table.name, error }),
        );
      }
    }),
  );
}

/** Whether a backfill has come to its end before: indexes are made right after this. */
async function haveIndexes(qb: QueryBuilder, tables: StoredTable[]): Promise<boolean> {
  const text = "select 1 from pg_index where indrelid = any($1::regclass[]) and not indisprimary limit 1";
  const values = [tables.map(({ sqlName }) => sqlName)];
  const { rows } = await qb.wrap({ label: "compact_tables" }, () => qb.$client.query({ text, values }));
  return rows.length > 0;
}

async function compact(qb: QueryBuilder, { sqlName }: StoredTable): Promise<void> {
  const text =
    "select relname from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = $1::regclass and indisprimary";
  const { rows } = await qb.$client.query({ text, values: [sqlName] });
  const key = pg.escapeIdentifier(String(rows[0]?.relname));
  // One message is one transaction, with which the settings end.
  const settings = "set local statement_timeout = 0; set local lock_timeout = '30s'";
  await qb.$client.query({ text: `${settings}; cluster ${sqlName} using ${key}` });
}
