import { getTableColumns, getTableName } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, type PgColumn, PgEnumColumn, type PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import type { Row } from "./ponder-parts.ts";

/** A column, and what it takes to keep, write and read its values. */
export type StoredColumn = {
  /** Its name in a row, in what Postgres answers, and quoted in SQL. */
  name: string;
  resultName: string;
  sqlName: string;
  /** Its type in SQL, which a text can be cast to. */
  sqlType: string;
  isKey: boolean;
  /** Of a row without the value; undefined if there must be one. */
  valueIfMissing: unknown;
  /** The value as it is kept: as Postgres would give it back. */
  kept(value: unknown): unknown;
  /** What a row has for what Postgres gave. */
  read(value: unknown): unknown;
  /** As it is sent to Postgres. */
  column: PgColumn;
};

export type StoredTable = {
  table: PgTable;
  name: string;
  /** Quoted, with its schema. */
  sqlName: string;
  columns: StoredColumn[];
  /** In the order of the primary key. */
  keys: StoredColumn[];
  columnOf: ReadonlyMap<string, StoredColumn>;
  /** A row that is keyed by its event is written once, and hardly ever looked at again. */
  isWrittenOnce: boolean;
};

/** What the store knows of a table of ponder.schema.ts. */
export function storedTable(table: PgTable): StoredTable {
  const { schema = "public", primaryKeys } = getTableConfig(table);
  const keyColumns =
    primaryKeys[0]?.columns ?? Object.values(getTableColumns(table)).filter(({ primary }) => primary);
  const keyNames = keyColumns.map(({ name }) => name);
  const columns = Object.entries(getTableColumns(table)).map(([name, column]) =>
    storedColumn(name, column, schema, keyNames.includes(column.name)),
  );
  const columnOf = new Map(columns.map((column) => [column.name, column]));
  const keys = keyNames.flatMap((key) => columns.filter(({ column }) => column.name === key));
  const name = getTableName(table);
  return {
    table,
    name,
    sqlName: `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
    columns,
    keys,
    columnOf,
    isWrittenOnce: columnOf.get("id")?.isKey === true,
  };
}

function storedColumn(name: string, column: PgColumn, schema: string, isKey: boolean): StoredColumn {
  const resultName = column.keyAsName ? toSnakeCase(column.name) : column.name;
  return {
    name,
    isKey,
    column,
    resultName,
    sqlName: pg.escapeIdentifier(resultName),
    sqlType: sqlTypeOf(column, schema),
    valueIfMissing: column.default ?? (column.notNull ? undefined : null),
    kept: keptValue(column),
    read: (value) => (value === null ? null : column.mapFromDriverValue(value)),
  };
}

function sqlTypeOf(column: PgColumn, schema: string): string {
  if (!(column instanceof PgEnumColumn)) return column.getSQLType();
  return `${pg.escapeIdentifier(column.enum.schema ?? schema)}.${pg.escapeIdentifier(column.enum.enumName)}`;
}

/** Most values are kept as they are: writing and reading them would change nothing. */
function keptValue(column: PgColumn): (value: unknown) => unknown {
  const written = (value: unknown) => column.mapFromDriverValue(column.mapToDriverValue(value));
  const plain = { bigint: "bigint", number: "number", boolean: "boolean" }[column.dataType as string];
  return plain === undefined ? written : (value) => (typeof value === plain ? value : written(value));
}

/** The key as rows have it: an address in capitals, say, is in lower case. */
export function exactKey({ keys }: StoredTable, given: Row): Row {
  return Object.fromEntries(keys.map(({ name, kept }) => [name, kept(given[name])]));
}

/** A row's primary key as text, for messages. */
export function keyText({ keys }: StoredTable, row: Row): string {
  return keys.map(({ name }) => `${name} ${row[name]}`).join(", ");
}
