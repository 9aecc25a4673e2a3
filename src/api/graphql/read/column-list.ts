import type { ApiTable } from "../tables.ts";

/** Returns the columns as a select list, with times in seconds. */
export function columnList(table: ApiTable, columns: string[]): string {
  if (columns.length === 0) return "null";
  return columns
    .map((name) => {
      const column = table.columns.get(name);
      if (column === undefined) throw new Error(`Invariant(${table.name}.${name}): no such column`);
      const sqlName = `"${column.sqlName}"`;
      return column.kind === "date" ? `floor(extract(epoch from ${sqlName}))::bigint` : sqlName;
    })
    .join(", ");
}

export type Row = Record<string, unknown>;

/** Names the driver's values, starting at index `from`, by their columns. */
export function toRow(columns: string[], values: unknown[], from: number): Row {
  const row: Row = {};
  let at = from;
  for (const name of columns) row[name] = values[at++];
  return row;
}

export type Statement = { text: string; values: unknown[] };

/** Collects the values of a statement's parameters. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value, and returns its placeholder, such as `$1`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
