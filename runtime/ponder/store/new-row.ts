import type { Row, UserError } from "./ponder-types.ts";
import type { StoredTable } from "./table-columns.ts";

/** Builds a row of the table, with each value as Postgres would return it. Throws if a required value is missing. */
export function newRow({ name: table, columns }: StoredTable, values: Row, UserError: UserError): Row {
  const row = { ...values };
  for (const { name, normalize, defaultValue } of columns) {
    const value = row[name] ?? defaultValue;
    if (value === undefined) throw new UserError(`${table} needs a value for ${name}.`);
    row[name] = value === null ? null : normalize(value);
  }
  return row;
}

/** Returns the row with changed values. Undefined ones change nothing. */
export function changedRow(
  { name: table, columnsByName }: StoredTable,
  before: Row,
  values: Row,
  UserError: UserError,
): Row {
  const row = { ...before };
  for (const name in values) {
    const column = columnsByName.get(name);
    if (values[name] === undefined || column === undefined) continue;
    const value = values[name] === null ? null : column.normalize(values[name]);
    if (value === null && column.defaultValue !== null)
      throw new UserError(`${table} needs a value for ${name}.`);
    if (column.isKey && value !== before[name])
      throw new UserError(`${name} is part of the key of ${table}: it can't change.`);
    row[name] = value;
  }
  return row;
}
