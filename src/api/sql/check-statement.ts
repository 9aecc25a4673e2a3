import { invalidSql } from "./sql-problem.ts";

export type Statement = { text: string; values: unknown[] };

/**
 * Names that reach beyond tables: to the server's sessions and settings, to files, to statements within strings. Tables and
 * functions of Postgres's catalog begin with `pg_`; analysts find what they need of it in `information_schema`.
 */
const forbidden =
  /^(pg_(?!typeof$).*|lo_.*|lowrite|loread|set_config|current_setting|inet_.*_(addr|port)|\w+_to_xml.*|dblink.*)$/;

/** Volatile functions without side effects. */
const harmlessVolatile = new Set([
  "random",
  "random_normal",
  "gen_random_uuid",
  "uuidv4",
  "uuidv7",
  "clock_timestamp",
  "timeofday",
]);

/**
 * Throws a problem for a statement with a name that clients have no use for. This is only the first line of defence: the
 * role's privileges and its session's limits hold whatever passes here. It therefore need not parse SQL, and refuses a name
 * anywhere in the text, even where it means something else.
 *
 * @param volatile the database's functions that may have side effects
 */
export function checkStatement({ text, values }: Statement, volatile: ReadonlySet<string>): void {
  // NUL ends a string in the protocol: what follows would be read as another message.
  if (text.includes("\0") || values.some((value) => typeof value === "string" && value.includes("\0"))) {
    throw invalidSql("The statement has a NUL character in it.");
  }
  // These can spell any name in other characters.
  if (/\bU&["']/i.test(text))
    throw invalidSql("Unicode escapes (U&) are not supported: write the characters themselves.");
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}_][\p{L}\p{N}_$]*/gu)) {
    if (forbidden.test(word) || (volatile.has(word) && !harmlessVolatile.has(word))) {
      throw invalidSql(
        `"${word}" can't be used here: a statement may only read tables and views, and compute.`,
      );
    }
  }
}
