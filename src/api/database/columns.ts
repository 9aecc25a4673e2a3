import { type SQL, sql } from "drizzle-orm";
import { sqlName } from "./sql-name.ts";

/** A query's columns by name, typed by the values that the driver returns. */
export type Columns = Record<string, SQL<unknown>>;

export type RowOf<Selected extends Columns> = {
  [Name in keyof Selected]: Selected[Name]["_"]["type"];
};

type Table = { $inferSelect: Record<string, unknown> };

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

type DriverValue<Value> = Value extends bigint | `0x${string}` ? string : Value;

/** A table's row as the driver returns it: with snake_case names, and bigints as decimal strings. */
export type DriverRow<Of extends Table> = {
  [Field in keyof Of["$inferSelect"] & string as SnakeCase<Field>]: DriverValue<Of["$inferSelect"][Field]>;
};

/** Returns columns of a table that a query refers to by an alias. */
export function columnsOf<Of extends Table, Name extends keyof DriverRow<Of> & string>(
  _table: Of,
  alias: string,
  names: Name[],
): { [Column in Name]: SQL<DriverRow<Of>[Column]> } {
  const columns = names.map((name) => [name, sqlName(`${alias}.${name}`)]);
  return Object.fromEntries(columns) as { [Column in Name]: SQL<DriverRow<Of>[Column]> };
}

/** Returns the columns as a select list. */
export function columnList(columns: Columns): SQL {
  return sql.join(
    Object.entries(columns).map(([name, column]) => sql`${column} as ${sqlName(name)}`),
    sql`, `,
  );
}
