import { literal, statement } from "../../offchain/statement.ts";
import type { Column } from "./columns.ts";

/** The column for amounts that no DECIMAL(38, 0) holds. */
const outOfRange = "out_of_range";

/**
 * SQL for DuckDB: the columns of a Parquet file, from a CSV file whose values are all text.
 *
 * A numeric column is DECIMAL(38, 0) if all that the contracts of this repository emit fits; otherwise it is text, with a double beside
 * it. What other contracts emit may be anything up to 2^256 - 1: such an amount is null, and the text in `out_of_range`, JSON of
 * column names and digits, has it.
 */
export function selectForParquet(columns: Column[]): string {
  const parts = columns.flatMap((column) => values[column.kind](column.name));
  const amounts = columns.filter(({ kind }) => kind === "amount").map(({ name }) => name);
  if (amounts.length > 0) parts.push(outOfRangeOf(amounts));
  return parts.join(", ");
}

// To HUGEINT first: DuckDB takes 500 times as long for text to DECIMAL(38, 0).
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

function outOfRangeOf(amounts: string[]): string {
  const isLost = (name: string) => `(${statement`${name}`} is not null and ${decimal(name)} is null)`;
  const members = amounts.map(
    (name) => `case when ${isLost(name)} then ${statement`${literal(`"${name}":"`)} || ${name} || '"'`} end`,
  );
  return [
    `case when ${amounts.map(isLost).join(" or ")}`,
    `then '{' || concat_ws(',', ${members.join(", ")}) || '}' end as ${outOfRange}`,
  ].join(" ");
}

/** SQL for DuckDB: the rows of a CSV file as Postgres writes it, each value as text. */
export function readCsv(file: string, columns: Column[]): string {
  const types = columns.map(({ name }) => statement`${literal(name)}: 'VARCHAR'`);
  return [
    `read_csv(${statement`${literal(file)}`}, columns = {${types.join(", ")}}, auto_detect = false, header = false,`,
    `delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, strict_mode = true)`,
  ].join(" ");
}
