import { literal, statement } from "../../offchain/statement.ts";
import type { Column } from "./columns.ts";

/** The column for amounts that don't fit into DECIMAL(38, 0). */
const outOfRange = "out_of_range";

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
