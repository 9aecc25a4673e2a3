import superjson from "superjson";
import type { Statement } from "./check-statement.ts";
import { sqlLimits } from "./limits.ts";
import type { Rows } from "./run-statement.ts";
import { invalidSql } from "./sql-problem.ts";

/** The statement in the `sql` parameter of @ponder/client. */
export function parsePonderQuery(text: string): Statement {
  let given: unknown;
  try {
    given = superjson.parse(text);
  } catch {
    throw invalidSql("The parameter sql is no superjson: send it with @ponder/client, or use POST /sql.");
  }
  const { sql, params = [] } = (given ?? {}) as { sql?: unknown; params?: unknown };
  const isStatement =
    typeof sql === "string" &&
    sql.length <= sqlLimits.characters &&
    Array.isArray(params) &&
    params.length <= sqlLimits.params;
  if (!isStatement) {
    throw invalidSql(
      `The parameter sql must have sql, of at most ${sqlLimits.characters} characters, and params, of at most ${sqlLimits.params} values.`,
    );
  }
  return { text: sql, values: params.map(toParameter) };
}

function toParameter(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (["string", "number", "boolean", "bigint"].includes(typeof value)) return String(value);
  throw invalidSql("A value in params is neither text nor a number, boolean, date or null.");
}

/**
 * Rows in the form of the driver, as @ponder/client takes them: objects, of which it reads the values in their order. Where two columns have
 * the same name, lists, since an object would lose one.
 */
export function ponderAnswer({ columns, rows }: Rows) {
  const names = columns.map(({ name }) => name);
  // Objects have keys that are numbers before the others.
  const isPlain =
    new Set(names).size === names.length && !names.some((name) => /^\d+$/.test(name) || name === "__proto__");
  const objects = isPlain
    ? rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
    : rows;
  return { command: "SELECT", rowCount: rows.length, rows: objects };
}
