import type { CustomTypesConfig } from "pg";
import pg from "pg";
import type { QueryBuilder, Row } from "./ponder-types.ts";
import type { StoredColumn, StoredTable } from "./table-columns.ts";

/** Reads the existing rows among those with these keys. */
export async function readRows(qb: QueryBuilder, stored: StoredTable, keys: Row[]): Promise<Row[]> {
  const columns = stored.columns.map(({ sqlName }) => sqlName).join(", ");
  const text = `select ${columns} from ${stored.sqlName} where ${isOneOf(stored)}`;
  const values = columnArrays(stored.keys, keys);
  const { rows } = await qb.wrap({ label: "read_rows" }, () => qb.$client.query({ text, values, types }));
  return rows.map((row) => readRow(stored, row));
}

/** Deletes a row. Returns whether it existed. */
export async function deleteRow(qb: QueryBuilder, stored: StoredTable, key: Row): Promise<boolean> {
  const text = `delete from ${stored.sqlName} where ${isOneOf(stored)}`;
  const values = columnArrays(stored.keys, [key]);
  const { rowCount } = await qb.wrap({ label: "delete_row" }, () => qb.$client.query({ text, values }));
  return rowCount === 1;
}

/** Returns SQL that selects by a list of keys: one `or` per key would take Postgres long to plan. */
function isOneOf({ keys }: StoredTable): string {
  return `(${keys.map(({ sqlName }) => sqlName).join(", ")}) in (select * from ${unnestSql(keys)})`;
}

/** Returns SQL for a relation with these columns. Its parameters are the result of {@link columnArrays}. */
export function unnestSql(columns: StoredColumn[]): string {
  return `unnest(${columns.map(({ sqlType }, index) => `$${index + 1}::${sqlType}[]`).join(", ")})`;
}

/** Returns the rows' values, one array per column. */
export function columnArrays(columns: StoredColumn[], rows: Row[]): unknown[][] {
  return columns.map(({ name, column }) =>
    rows.map((row) => (row[name] === null ? null : column.mapToDriverValue(row[name]))),
  );
}

/** Returns values to the columns' decoders as text, except types that pg parses without loss. */
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
