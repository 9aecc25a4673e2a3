import { getTableColumns, getTableName, isTable } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, type PgColumn, PgEnumColumn, type PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import type { Row, UserError } from "./ponder-types.ts";

/** A column, and how to cache, write and read its values. */
export type StoredColumn = {
  /** Its name in a row, in Postgres's results, and quoted in SQL. */
  name: string;
  resultName: string;
  sqlName: string;
  /** Its SQL type, which text can be cast to. */
  sqlType: string;
  isKey: boolean;
  /** The value for rows without one; undefined if a value is required. */
  defaultValue: unknown;
  /** Converts a value to the form in which Postgres would return it. */
  normalize(value: unknown): unknown;
  /** Converts a value from Postgres's result to a row's. */
  read(value: unknown): unknown;
  /** Maps values to those that are sent to Postgres. */
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
  columnsByName: ReadonlyMap<string, StoredColumn>;
  /** Whether rows are keyed by their event, or by a past day: they are written once, and hardly ever read again. */
  isWrittenOnce: boolean;
};

/** Returns the tables among the exports of ponder.schema.ts. */
export const tablesOf = (schema: Record<string, unknown>): PgTable[] =>
  Object.values(schema).filter((part) => isTable(part)) as PgTable[];

/** Derives what the store needs to know about a table of ponder.schema.ts. */
export function storedTable(table: PgTable): StoredTable {
  const { schema = "public", primaryKeys } = getTableConfig(table);
  const keyColumns =
    primaryKeys[0]?.columns ?? Object.values(getTableColumns(table)).filter(({ primary }) => primary);
  const keyNames = keyColumns.map(({ name }) => name);
  const columns = Object.entries(getTableColumns(table)).map(([name, column]) =>
    storedColumn(name, column, schema, keyNames.includes(column.name)),
  );
  const columnsByName = new Map(columns.map((column) => [column.name, column]));
  const keys = keyNames.flatMap((key) => columns.filter(({ column }) => column.name === key));
  const name = getTableName(table);
  return {
    table,
    name,
    sqlName: `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
    columns,
    keys,
    columnsByName,
    isWrittenOnce: keys.some((key) => key.name === "id" || key.name === "untilDay"),
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
    defaultValue: column.default ?? (column.notNull ? undefined : null),
    normalize: normalizer(column),
    read: (value) => (value === null ? null : column.mapFromDriverValue(value)),
  };
}

function sqlTypeOf(column: PgColumn, schema: string): string {
  if (!(column instanceof PgEnumColumn)) return column.getSQLType();
  return `${pg.escapeIdentifier(column.enum.schema ?? schema)}.${pg.escapeIdentifier(column.enum.enumName)}`;
}

/** Returns a column's `normalize`. It leaves most values as they are, since writing and reading them would change nothing. */
function normalizer(column: PgColumn): (value: unknown) => unknown {
  const written = (value: unknown) => column.mapFromDriverValue(column.mapToDriverValue(value));
  const plain = { bigint: "bigint", number: "number", boolean: "boolean" }[column.dataType as string];
  return plain === undefined ? written : (value) => (typeof value === plain ? value : written(value));
}

/** Builds a row of the table, with each value as Postgres would return it. Throws if a required value is missing. */
export function newRow({ name: table, columns }: StoredTable, values: Row, UserError: UserError): Row {
  const row = { ...values };
  for (const { name, normalize, defaultValue } of columns) {
    const value = row[name] ?? defaultValue;
    if (value === undefined) throw new UserError(`${table} needs a value for ${name}.`);
    const normalized = value === null ? null : normalize(value);
    // Setting a value costs more than comparing it, and most are what Postgres would return.
    if (normalized !== row[name]) row[name] = normalized;
  }
  return row;
}

/** Returns the row with changed values. Undefined ones change nothing. */
export function changedRow(
  { name: table, columnsByName }: StoredTable,
  before: Row,
  values: Row,
  UserError: UserError,
): Row {
  const row = { ...before };
  for (const name in values) {
    const changed = values[name];
    if (changed === undefined || changed === before[name]) continue;
    const column = columnsByName.get(name);
    if (column === undefined) continue;
    const value = changed === null ? null : column.normalize(changed);
    if (value === null && column.defaultValue !== null)
      throw new UserError(`${table} needs a value for ${name}.`);
    if (column.isKey && value !== before[name])
      throw new UserError(`${name} is part of the key of ${table}: it can't change.`);
    row[name] = value;
  }
  return row;
}

/** Returns a key in the form that rows have: addresses in lower case, for example. */
export function normalizedKey({ keys }: StoredTable, key: Row): Row {
  return Object.fromEntries(keys.map(({ name, normalize }) => [name, normalize(key[name])]));
}

/** Formats a row's primary key for messages. */
export function keyText({ keys }: StoredTable, row: Row): string {
  return keys.map(({ name }) => `${name} ${row[name]}`).join(", ");
}
