import pg from "pg";
import copy from "pg-copy-streams";
import type { CachedRow, CachedRows } from "./cached-rows.ts";
import { copyText, writeAll } from "./copy-text.ts";
import type { QueryBuilder, Row } from "./ponder-types.ts";
import { columnArrays, joinByKey, listOf, unnestSql } from "./read-rows.ts";
import type { StoredColumn, StoredTable } from "./table-columns.ts";

/** The most rows to send as arrays in one statement. For more, COPY is faster, although it takes further statements. */
const maxUnnestRows = 2_000;

/** Writes a table's inserted and updated rows. */
export async function writeRows(qb: QueryBuilder, { stored, inserts, updates }: CachedRows): Promise<void> {
  if (inserts.length > 0) await insertRows(qb, stored, inserts.map(rowOf));
  if (updates.length > 0) await updateRows(qb, stored, updates.map(rowOf));
}

const rowOf = ({ row }: CachedRow): Row => row as Row;

async function insertRows(qb: QueryBuilder, stored: StoredTable, rows: Row[]): Promise<void> {
  const { sqlName: table, columns } = stored;
  if (rows.length > maxUnnestRows) return await copyRows(qb, table, columns, rows);
  const insert = `insert into ${table} (${listOf(columns)}) select * from ${unnestSql(columns)}`;
  await run(qb, insert, columnArrays(columns, rows));
}

async function updateRows(qb: QueryBuilder, stored: StoredTable, rows: Row[]): Promise<void> {
  const { name, sqlName: table, columns, keys } = stored;
  // A row that consists of its key only has nothing to update.
  if (columns.length === keys.length) return;
  if (rows.length <= maxUnnestRows) {
    const updated = await run(qb, update(stored, unnestSql(columns)), columnArrays(columns, rows));
    return requireAll(stored, rows, updated);
  }
  const changed = pg.escapeIdentifier(`changed_${name}`);
  await run(
    qb,
    `create temp table if not exists ${changed} as select ${listOf(columns)} from ${table} with no data`,
  );
  await copyRows(qb, changed, columns, rows);
  requireAll(stored, rows, await run(qb, update(stored, changed)));
  await run(qb, `truncate ${changed}`);
}

/** Throws if not all rows were in the table: then the cache is wrong, and the transaction has to be repeated without it. */
function requireAll({ name }: StoredTable, { length }: Row[], updated: number): void {
  if (updated === length) return;
  throw new Error(`Invariant(store): of ${length} cached rows of ${name}, only ${updated} are in the table`);
}

/** Returns SQL that sets all columns of the rows to those of the source. */
function update(stored: StoredTable, source: string): string {
  const { sqlName: table, columns } = stored;
  const values = columns.filter(({ isKey }) => !isKey).map(({ sqlName }) => `${sqlName} = source.${sqlName}`);
  const given = `${source} as given (${listOf(columns)})`;
  return `update ${table} as target set ${values.join(", ")}
    from (select found.ctid as place, given.* from ${given} ${joinByKey(stored, "given")}) source
    where target.ctid = source.place`;
}

/** Runs a statement. Resolves to how many rows it changed. */
async function run(qb: QueryBuilder, text: string, values: unknown[] = []): Promise<number> {
  const { rowCount } = await qb.wrap({ label: "write_rows" }, () => qb.$client.query({ text, values }));
  return rowCount ?? 0;
}

async function copyRows(
  qb: QueryBuilder,
  table: string,
  columns: StoredColumn[],
  rows: Row[],
): Promise<void> {
  await qb.wrap({ label: "copy_rows" }, async () => {
    const text = `copy ${table} (${listOf(columns)}) from stdin`;
    const stream = qb.$client.query(copy.from(text));
    await new Promise<void>((resolve, reject) => {
      stream.on("finish", resolve);
      stream.on("error", reject);
      writeAll(stream, copyText(columns, rows)).catch(reject);
    });
  });
}
