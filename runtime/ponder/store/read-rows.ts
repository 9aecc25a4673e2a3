import type { CustomTypesConfig } from "pg";
import pg from "pg";
import type { QueryBuilder, Row } from "./ponder-types.ts";
import type { StoredColumn, StoredTable } from "./table-columns.ts";

/** Reads the existing rows among those with these keys. */
export async function readRows(qb: QueryBuilder, stored: StoredTable, keys: Row[]): Promise<Row[]> {
  const columns = stored.columns.map(({ sqlName }) => `found.${sqlName}`).join(", ");
  const asked = `${unnestSql(stored.keys)} as asked (${listOf(stored.keys)})`;
  const text = `select ${columns} from ${asked} ${joinByKey(stored, "asked")}`;
  const values = columnArrays(stored.keys, keys);
  const { rows } = await qb.wrap({ label: "read_rows" }, () => qb.$client.query({ text, values, types }));
  return rows.map((row) => readRow(stored, row));
}

/**
 * Returns SQL that joins each row of a relation with the stored row of the same key as `found`, which has its `ctid` too. It selects
 * the first row at or after the key, which either has that key or shows that there is none: only the primary key's index gives that.
 * With a plain equality, Postgres may choose another one, as long as it believes that few rows share its columns. For a token with
 * 100,000 positions each look-up would then read all of them.
 */
export function joinByKey({ sqlName, keys }: StoredTable, relation: string): string {
  const of = (table: string) => `(${listOf(keys, table)})`;
  return `cross join lateral (select at.ctid, at.* from ${sqlName} at where ${of("at")} >= ${of(relation)}
    order by ${listOf(keys, "at")} limit 1) found where ${of("found")} = ${of(relation)}`;
}

/** Lists columns, of a table if one is given. */
export function listOf(columns: readonly StoredColumn[], table?: string): string {
  return columns.map(({ sqlName }) => (table === undefined ? sqlName : `${table}.${sqlName}`)).join(", ");
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

function readRow({ columns }: StoredTable, raw: Row): Row {
  const row: Row = {};
  for (const { name, resultName, read } of columns) row[name] = read(raw[resultName]);
  return row;
}
