import { type SQL, sql } from "drizzle-orm";

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

/** Formats ids as a Postgres array literal. */
export function formatIds(ids: number[] | Int32Array): string {
  return `{${ids.join(",")}}`;
}

/**
 * Parses comma-separated ids. They come as one string because the driver takes many times as long for as many rows, and are read
 * digit by digit because splitting hundreds of thousands of them takes as long as many requests.
 */
export function parseIds(text: string | null | undefined): Int32Array {
  if (!text) return new Int32Array(0);
  let commas = 0;
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) commas++;
  const ids = new Int32Array(commas + 1);
  let [count, id] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma) {
      ids[count++] = id;
      id = 0;
    } else id = 10 * id + code - zero;
  }
  ids[count] = id;
  return ids;
}

const comma = 44;
const zero = 48;

const plainName = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;

/**
 * Quotes one of our own names for use in a query: an alias, a column, or both separated by a dot. Besides parameters, this is the
 * only way to put text into SQL. Throws if it isn't a plain name.
 */
export function sqlName(name: string): SQL {
  if (!plainName.test(name)) throw new Error(`Invariant(SQL): not a plain name: ${name}`);
  // biome-ignore lint/plugin: the name was checked above.
  return sql.raw(`"${name.replace(".", '"."')}"`);
}

/** Writes a whole number into a query without a parameter. */
export function sqlInteger(value: number | bigint): SQL {
  // biome-ignore lint/plugin: a bigint is only digits and a sign.
  return sql.raw(BigInt(value).toString());
}
