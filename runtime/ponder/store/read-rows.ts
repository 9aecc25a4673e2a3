import type { CustomTypesConfig } from "pg";
import pg from "pg";
import type { QueryBuilder, Row } from "./ponder-parts.ts";
import type { StoredColumn, StoredTable } from "./table-columns.ts";

/** The rows with those keys, as far as there are such rows. */
export async function readRows(qb: QueryBuilder, stored: StoredTable, keys: Row[]): Promise<Row[]> {
  const columns = stored.columns.map(({ sqlName }) => sqlName).join(", ");
  const text = `select ${columns} from ${stored.sqlName} where ${isOneOf(stored)}`;
  const values = arraysOf(stored.keys, keys);
  const { rows } = await qb.wrap({ label: "read_rows" }, () => qb.$client.query({ text, values, types }));
  return rows.map((row) => readRow(stored, row));
}

/** Returns whether there was such a row. */
export async function deleteRow(qb: QueryBuilder, stored: StoredTable, key: Row): Promise<boolean> {
  const text = `delete from ${stored.sqlName} where ${isOneOf(stored)}`;
  const values = arraysOf(stored.keys, [key]);
  const { rowCount } = await qb.wrap({ label: "delete_row" }, () => qb.$client.query({ text, values }));
  return rowCount === 1;
}

/** One `or` for each key would take Postgres long to plan. */
function isOneOf({ keys }: StoredTable): string {
  return `(${keys.map(({ sqlName }) => sqlName).join(", ")}) in (select * from ${unnested(keys)})`;
}

/** A relation of rows with these columns, which come as {@link arraysOf} them. */
export function unnested(columns: StoredColumn[]): string {
  return `unnest(${columns.map(({ sqlType }, index) => `$${index + 1}::${sqlType}[]`).join(", ")})`;
}

/** The values of the rows, of each column an array. */
export function arraysOf(columns: StoredColumn[], rows: Row[]): unknown[][] {
  return columns.map(({ name, column }) =>
    rows.map((row) => (row[name] === null ? null : column.mapToDriverValue(row[name]))),
  );
}

/** What columns read: text, but for what pg reads without loss. */
const types: CustomTypesConfig = {
  getTypeParser: (type: number, format) =>
    readByPg.has(type) ? pg.types.getTypeParser(type, format) : (text: string) => text,
};

const { BOOL, BYTEA, FLOAT4, FLOAT8, INT2, INT4 } = pg.types.builtins;
const readByPg = new Set<number>([BOOL, BYTEA, FLOAT4, FLOAT8, INT2, INT4]);

function readRow({ columns }: StoredTable, found: Row): Row {
  const row: Row = {};
  for (const { name, resultName, read } of columns) row[name] = read(found[resultName]);
  return row;
}
