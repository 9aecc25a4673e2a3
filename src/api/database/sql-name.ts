import { type SQL, sql } from "drizzle-orm";

const plainName = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;

/**
 * A name of ours in a query: an alias, a column, or both with a dot between them. The only way for text into SQL beside
 * parameters; throws for what is no plain name.
 */
export function sqlName(name: string): SQL {
  if (!plainName.test(name)) throw new Error(`Invariant(SQL): not a plain name: ${name}`);
  // biome-ignore lint/plugin: it was checked above.
  return sql.raw(`"${name.replace(".", '"."')}"`);
}

/** A whole number in a query that has no parameters. */
export function sqlInteger(value: number | bigint): SQL {
  // biome-ignore lint/plugin: a bigint has digits and a sign.
  return sql.raw(BigInt(value).toString());
}
