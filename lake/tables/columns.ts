import type pg from "pg";
import { literal, statement } from "../../offchain/connection.ts";

/** A column of a table, and how it is converted from Postgres to Parquet. */
export type Column = {
  name: string;
  kind: ColumnKind;
  /** SQL for its value in a row named `r`, if the table has no such column. */
  sql?: string;
  /** Whether it is null in some rows. */
  isNullable?: boolean;
};

/**
 * `amount` is an integer of up to 38 digits with this repository's contracts; `wide` is one that may be longer even with them: a
 * price with 36 decimals, or a product of two amounts. `free` is text that anyone may have written.
 */
type ColumnKind = "amount" | "wide" | "integer" | "bigint" | "double" | "boolean" | "text" | "free" | "time";

/** Columns that are written by whoever created or registered a token. */
const freeText = new Set([
  "name",
  "symbol",
  "description",
  "image_url",
  "twitter_url",
  "telegram_url",
  "website_url",
]);

/** Whether a uint256 column occasionally has values of more than 38 digits. */
const isWide = (name: string) => name.endsWith("_x36") || name === "balance_squares_raw";

const kinds: Record<string, ColumnKind> = {
  integer: "integer",
  bigint: "bigint",
  "double precision": "double",
  boolean: "boolean",
  "timestamp with time zone": "time",
};

/** Reads the columns of a table in order, or `only` some of them. Throws if one has an unknown type. */
export async function readColumns(
  client: pg.ClientBase,
  { schema, table, only }: { schema: string; table: string; only?: readonly string[] },
): Promise<Column[]> {
  const { rows } = await client.query<{ name: string; type: string; nullable: boolean }>(
    `select column_name as name, data_type as type, is_nullable = 'YES' as nullable from information_schema.columns
     where table_schema = $1 and table_name = $2 order by ordinal_position`,
    [schema, table],
  );
  if (rows.length === 0) throw new Error(`there is no table ${schema}.${table}`);
  return rows
    .filter(({ name }) => only === undefined || only.includes(name))
    .map(({ name, type, nullable }) => ({ name, kind: kindOf(name, type), isNullable: nullable }));
}

function kindOf(name: string, type: string): ColumnKind {
  if (type === "numeric") return isWide(name) ? "wide" : "amount";
  if (type === "text" || type === "USER-DEFINED") return freeText.has(name) ? "free" : "text";
  const kind = kinds[type];
  if (kind === undefined)
    throw new Error(`the column ${name} has a type that the lake does not know: ${type}`);
  return kind;
}

/** Returns SQL for Postgres that selects a row named `r` in the form for CSV. */
export function selectForCsv(columns: Column[]): string {
  return columns
    .map(({ name, kind, sql }) => sql ?? csvValues[kind]?.(name) ?? statement`r.${name}`)
    .join(", ");
}

const csvValues: Partial<Record<ColumnKind, (name: string) => string>> = {
  // In hex, so that no text can be mistaken for CSV syntax.
  free: (name) => statement`'x' || encode(convert_to(r.${name}, 'UTF8'), 'hex') as ${name}`,
  time: (name) => statement`(extract(epoch from r.${name}) * 1000000)::int8 as ${name}`,
};

/** The column for amounts that don't fit into DECIMAL(38, 0). */
export const outOfRange = "out_of_range";

/**
 * Returns SQL for DuckDB that selects the columns of a Parquet file from a CSV file whose values are all text.
 *
 * A numeric column is DECIMAL(38, 0) if everything that this repository's contracts emit fits into that; otherwise it is text, with
 * an additional column of doubles. Other contracts may emit anything up to 2^256 - 1. An amount that doesn't fit is null, and
 * `out_of_range` has it, as JSON of column names and digits.
 */
export function selectForParquet(columns: Column[]): string {
  const parts = columns.flatMap((column) => values[column.kind](column.name));
  const amounts = columns.filter(({ kind }) => kind === "amount").map(({ name }) => name);
  if (amounts.length > 0) parts.push(selectOutOfRange(amounts));
  return parts.join(", ");
}

// To HUGEINT first: casting text to DECIMAL(38, 0) directly takes DuckDB 500 times as long.
const decimal = (name: string) => statement`try_cast(try_cast(${name} as hugeint) as decimal(38, 0))`;

const values: Record<Column["kind"], (name: string) => string[]> = {
  amount: (name) => [`${decimal(name)} as ${statement`${name}`}`],
  wide: (name) => [statement`${name}`, statement`cast(${name} as double) as ${`${name}_double`}`],
  integer: (name) => [statement`cast(${name} as integer) as ${name}`],
  bigint: (name) => [statement`cast(${name} as bigint) as ${name}`],
  double: (name) => [statement`cast(${name} as double) as ${name}`],
  boolean: (name) => [statement`cast(${name} as boolean) as ${name}`],
  text: (name) => [statement`${name}`],
  free: (name) => [statement`decode(unhex(substr(${name}, 2))) as ${name}`],
  time: (name) => [statement`make_timestamptz(cast(${name} as bigint)) as ${name}`],
};

function selectOutOfRange(amounts: string[]): string {
  const isLost = (name: string) => `(${statement`${name}`} is not null and ${decimal(name)} is null)`;
  const members = amounts.map(
    (name) => `case when ${isLost(name)} then ${statement`${literal(`"${name}":"`)} || ${name} || '"'`} end`,
  );
  return [
    `case when ${amounts.map(isLost).join(" or ")}`,
    `then '{' || concat_ws(',', ${members.join(", ")}) || '}' end as ${outOfRange}`,
  ].join(" ");
}

/** Returns SQL for DuckDB that reads a CSV file of Postgres's, each value as text. */
export function readCsv(file: string, columns: Column[]): string {
  const types = columns.map(({ name }) => statement`${literal(name)}: 'VARCHAR'`);
  return [
    `read_csv(${statement`${literal(file)}`}, columns = {${types.join(", ")}}, auto_detect = false, header = false,`,
    `delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, strict_mode = true)`,
  ].join(" ");
}
