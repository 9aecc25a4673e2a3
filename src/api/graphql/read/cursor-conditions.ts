import type { ApiTable } from "../tables.ts";
import type { Parameters } from "./parameters.ts";

/** The order of a list: these columns, all in one direction. A view has no key, and may have no order. */
export type Order = { columns: string[]; direction: "asc" | "desc" };

export type CursorPlace = {
  table: ApiTable;
  order: Order;
  /** The values of the order's columns. */
  cursor: Record<string, unknown>;
  /** The values that columns have in all rows of the list, as far as they are known. */
  fixed: Map<string, unknown>;
};

/**
 * The rows at the cursor and behind it, in the order's direction: one condition, or two whose rows come one after the other.
 *
 * Postgres sorts nulls above all values, and no comparison is true of null. Beside the rows without a null there is thus a second
 * part, those with one, and each part is read from the index in its order; a condition for both would read all rows before the
 * cursor. Columns with one value in the whole list are left out, so that an index can begin at the cursor.
 */
export function conditionsAtCursor(
  { table, order, cursor, fixed }: CursorPlace,
  parameters: Parameters,
): [string] | [string, string] {
  const isUp = order.direction === "asc";
  const open = order.columns.filter((name) => !isFixed(name, cursor[name], fixed));
  const nameOf = (name: string) => `"${table.columns.get(name)?.sqlName}"`;
  const from = (names: string[]) => {
    if (names.length === 0) return "true";
    const values = names.map((name) => parameters.add(table.columns.get(name)?.encode(cursor[name])));
    return `(${names.map(nameOf).join(", ")}) ${isUp ? ">=" : "<="} (${values.join(", ")})`;
  };
  const [first, ...others] = open;
  if (first === undefined || table.columns.get(first)?.nullable !== true) return [from(open)];
  if (cursor[first] === null) {
    const rest = `(${nameOf(first)} is null and ${from(others)})`;
    return isUp ? [rest] : [rest, `${nameOf(first)} is not null`];
  }
  return isUp ? [from(open), `${nameOf(first)} is null`] : [from(open)];
}

function isFixed(name: string, value: unknown, fixed: Map<string, unknown>): boolean {
  return fixed.has(name) && value !== null && String(fixed.get(name)) === String(value);
}
