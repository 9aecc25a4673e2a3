import { invalidSql } from "./sql-problem.ts";

export type Statement = { text: string; values: unknown[] };

/**
 * What reads more than tables: sessions and settings of the server, files, statements within texts. Tables and functions of
 * Postgres's own catalog begin with `pg_`; what analysts need of it is in `information_schema`.
 */
const refused =
  /^(pg_(?!typeof$).*|lo_.*|lowrite|loread|set_config|current_setting|inet_.*_(addr|port)|\w+_to_xml.*|dblink.*)$/;

/** Changes with each call, and is harmless. */
const harmless = new Set([
  "random",
  "random_normal",
  "gen_random_uuid",
  "uuidv4",
  "uuidv7",
  "clock_timestamp",
  "timeofday",
]);

/**
 * Throws for a statement that names what clients have no use for. This only comes before the rights of the role and the limits of its session,
 * which hold whatever passes here; so names are looked for everywhere, also where they mean something else.
 *
 * @param volatile the functions of the database that may have side effects
 */
export function checkStatement({ text, values }: Statement, volatile: ReadonlySet<string>): void {
  // The protocol ends a text with it, and what follows would be read as another message.
  if (text.includes("\0") || values.some((value) => typeof value === "string" && value.includes("\0"))) {
    throw invalidSql("The statement has a NUL character in it.");
  }
  // They spell any name in other characters.
  if (/\bU&["']/i.test(text)) throw invalidSql("Unicode escapes (U&) are not taken: write the characters.");
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}_][\p{L}\p{N}_$]*/gu)) {
    if (refused.test(word) || (volatile.has(word) && !harmless.has(word))) {
      throw invalidSql(`"${word}" can't be used here: a statement reads tables and views, and computes.`);
    }
  }
}
