import superjson from "superjson";
import type { Statement } from "./check-statement.ts";
import { sqlLimits } from "./limits.ts";
import type { Rows } from "./run-statement.ts";
import { invalidSql } from "./sql-problem.ts";

/** Parses the statement from the `sql` parameter of @ponder/client. Throws a problem if it is malformed. */
export function parsePonderQuery(text: string): Statement {
  let given: unknown;
  try {
    given = superjson.parse(text);
  } catch {
    throw invalidSql("The parameter sql is not superjson: send it with @ponder/client, or use POST /sql.");
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
  throw invalidSql("A value in params is not a string, number, boolean, date or null.");
}

/**
 * Maps rows to the driver's result, as @ponder/client expects it: objects, whose values it reads in order. Rows are arrays if
 * objects would lose columns of the same name, or their order.
 */
export function toPonderResult({ columns, rows }: Rows) {
  const names = columns.map(({ name }) => name);
  // In an object, integer keys come before all others.
  const canBeObjects =
    new Set(names).size === names.length && !names.some((name) => /^\d+$/.test(name) || name === "__proto__");
  const objects = canBeObjects
    ? rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
    : rows;
  return { command: "SELECT", rowCount: rows.length, rows: objects };
}
