import type { Row, UserError } from "./ponder-parts.ts";
import type { StoredTable } from "./table-columns.ts";

/** The values as a row of the table, each as Postgres would give it back. Throws where a value is missing. */
export function newRow({ name: table, columns }: StoredTable, values: Row, UserError: UserError): Row {
  const row = { ...values };
  for (const { name, kept, valueIfMissing } of columns) {
    const value = row[name] ?? valueIfMissing;
    if (value === undefined) throw new UserError(`${table} needs a value for ${name}.`);
    row[name] = value === null ? null : kept(value);
  }
  return row;
}

/** The row with other values. Those that are undefined leave it as it is. */
export function changedRow(
  { name: table, columnOf }: StoredTable,
  before: Row,
  values: Row,
  UserError: UserError,
): Row {
  const row = { ...before };
  for (const name in values) {
    const column = columnOf.get(name);
    if (values[name] === undefined || column === undefined) continue;
    const value = values[name] === null ? null : column.kept(values[name]);
    if (value === null && column.valueIfMissing !== null)
      throw new UserError(`${table} needs a value for ${name}.`);
    if (column.isKey && value !== before[name])
      throw new UserError(`${name} is part of the key of ${table}: it can't change.`);
    row[name] = value;
  }
  return row;
}
