import type { ApiTable } from "../tables.ts";
import type { Parameters } from "./parameters.ts";

/** A list's order: the columns, all in one direction. May be empty for a view, which has no key. */
export type Order = { columns: string[]; direction: "asc" | "desc" };

export type CursorOptions = {
  table: ApiTable;
  order: Order;
  /** The values of the order's columns. */
  cursor: Record<string, unknown>;
  /** Columns known to have one value in all rows of the list, with that value. */
  fixed: Map<string, unknown>;
};

/**
 * Returns the condition for the rows at and after the cursor in the order's direction, or two conditions, whose rows follow each
 * other.
 *
 * Postgres sorts nulls after all values, and comparisons with null are never true. Rows with a null are therefore a second part, and
 * each part is read in order from the index; a single condition for both would read all rows before the cursor. Columns with one
 * value in the whole list are left out, so that an index can seek to the cursor.
 */
export function cursorConditions(
  { table, order, cursor, fixed }: CursorOptions,
  parameters: Parameters,
): [string] | [string, string] {
  const isAscending = order.direction === "asc";
  const varying = order.columns.filter((name) => !isFixed(name, cursor[name], fixed));
  const nameOf = (name: string) => `"${table.columns.get(name)?.sqlName}"`;
  const from = (names: string[]) => {
    if (names.length === 0) return "true";
    const values = names.map((name) => parameters.add(table.columns.get(name)?.encode(cursor[name])));
    return `(${names.map(nameOf).join(", ")}) ${isAscending ? ">=" : "<="} (${values.join(", ")})`;
  };
  const [first, ...others] = varying;
  if (first === undefined || table.columns.get(first)?.nullable !== true) return [from(varying)];
  if (cursor[first] === null) {
    const rest = `(${nameOf(first)} is null and ${from(others)})`;
    return isAscending ? [rest] : [rest, `${nameOf(first)} is not null`];
  }
  return isAscending ? [from(varying), `${nameOf(first)} is null`] : [from(varying)];
}

function isFixed(name: string, value: unknown, fixed: Map<string, unknown>): boolean {
  return fixed.has(name) && value !== null && String(fixed.get(name)) === String(value);
}
