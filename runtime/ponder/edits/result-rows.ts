import type { Edit } from "./edit.ts";

/** Speeds up how query results become objects, which all events go through. */
export const resultRows: Edit[] = [
  // For each value of each row, drizzle looks up its decoder and its place, which are the same in all rows.
  {
    file: "drizzle-orm/utils.js",
    from: "function mapResultRow(columns, row, joinsNotNullableMap) {",
    to: `const flatColumns = new WeakMap();
function mapFlatRow(columns, row) {
  const result = {};
  for (let i = 0; i < columns.length; i++) {
    result[columns[i].name] = row[i] === null ? null : columns[i].decoder.mapFromDriverValue(row[i]);
  }
  return result;
}
function flattened(columns) {
  if (columns.some(({ path }) => path.length !== 1)) return null;
  return columns.map(({ path, field }) => ({
    name: path[0],
    decoder: is(field, Column) ? field : is(field, SQL) ? field.decoder : field.sql.decoder
  }));
}
function mapResultRow(columns, row, joinsNotNullableMap) {
  if (!flatColumns.has(columns)) flatColumns.set(columns, flattened(columns));
  const flat = flatColumns.get(columns);
  if (flat !== null) return mapFlatRow(flat, row);`,
  },
];
