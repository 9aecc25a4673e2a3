import { type SQL, sql } from "drizzle-orm";

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
