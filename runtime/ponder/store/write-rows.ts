import pg from "pg";
import copy from "pg-copy-streams";
import { copyText, writeAll } from "./copy-text.ts";
import type { KeptRow, KeptRows } from "./kept-rows.ts";
import type { QueryBuilder, Row } from "./ponder-parts.ts";
import { arraysOf, unnested } from "./read-rows.ts";
import type { StoredColumn, StoredTable } from "./table-columns.ts";

/** Rows that one statement takes as arrays. More than these are quicker by COPY, which needs statements around it. */
const inOneStatement = 2_000;

/** Writes the rows of a table that were inserted and updated. */
export async function writeRows(qb: QueryBuilder, { stored, inserts, updates }: KeptRows): Promise<void> {
  if (inserts.length > 0) await insertRows(qb, stored, inserts.map(rowOf));
  if (updates.length > 0) await updateRows(qb, stored, updates.map(rowOf));
}

const rowOf = ({ row }: KeptRow): Row => row as Row;

async function insertRows(qb: QueryBuilder, stored: StoredTable, rows: Row[]): Promise<void> {
  const { sqlName: table, columns } = stored;
  if (rows.length > inOneStatement) return await copyRows(qb, table, columns, rows);
  const insert = `insert into ${table} (${namesOf(columns)}) select * from ${unnested(columns)}`;
  await run(qb, insert, arraysOf(columns, rows));
}

async function updateRows(qb: QueryBuilder, stored: StoredTable, rows: Row[]): Promise<void> {
  const { name, sqlName: table, columns, keys } = stored;
  // A row that is nothing but its key has nothing to change.
  if (columns.length === keys.length) return;
  if (rows.length <= inOneStatement) {
    return await run(qb, update(stored, unnested(columns)), arraysOf(columns, rows));
  }
  const changed = pg.escapeIdentifier(`changed_${name}`);
  await run(
    qb,
    `create temp table if not exists ${changed} as select ${namesOf(columns)} from ${table} with no data`,
  );
  await copyRows(qb, changed, columns, rows);
  await run(qb, update(stored, changed));
  await run(qb, `truncate ${changed}`);
}

/** Sets all columns of the rows to those of the source. */
function update({ sqlName: table, columns, keys }: StoredTable, source: string): string {
  const values = columns.filter(({ isKey }) => !isKey).map(({ sqlName }) => `${sqlName} = source.${sqlName}`);
  const same = keys.map(({ sqlName }) => `target.${sqlName} = source.${sqlName}`);
  return `update ${table} as target set ${values.join(", ")} from ${source} as source (${namesOf(columns)}) where ${same.join(" and ")}`;
}

async function run(qb: QueryBuilder, text: string, values: unknown[] = []): Promise<void> {
  await qb.wrap({ label: "write_rows" }, () => qb.$client.query({ text, values }));
}

async function copyRows(
  qb: QueryBuilder,
  table: string,
  columns: StoredColumn[],
  rows: Row[],
): Promise<void> {
  await qb.wrap({ label: "copy_rows" }, async () => {
    const text = `copy ${table} (${namesOf(columns)}) from stdin`;
    const stream = qb.$client.query(copy.from(text));
    await new Promise<void>((resolve, reject) => {
      stream.on("finish", resolve);
      stream.on("error", reject);
      writeAll(stream, copyText(columns, rows)).catch(reject);
    });
  });
}

const namesOf = (columns: StoredColumn[]): string => columns.map(({ sqlName }) => sqlName).join(", ");
