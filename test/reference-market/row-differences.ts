/** A row by column names. Columns that aren't named are not compared. */
export type ExpectedRow = Record<string, bigint | number | string | boolean | null | undefined>;

type IndexedRow = Record<string, unknown>;

/** Returns a line for each row that is missing, unexpected, or has other values. */
export function rowDifferences(
  table: string,
  key: string[],
  indexed: IndexedRow[],
  expected: ExpectedRow[],
): string[] {
  const found: string[] = [];
  const keyOf = (row: IndexedRow) => key.map((column) => row[column]).join(" ");
  const unmatched = new Map(indexed.map((row) => [keyOf(row), row]));
  for (const row of expected) {
    const own = unmatched.get(keyOf(row));
    unmatched.delete(keyOf(row));
    if (own === undefined) found.push(`${table} ${keyOf(row)}: not indexed`);
    else {
      const columns = Object.keys(row).filter((column) => String(own[column]) !== String(row[column]));
      for (const column of columns) {
        found.push(`${table} ${keyOf(row)}: ${column} is ${own[column]}, by the logs ${row[column]}`);
      }
    }
  }
  for (const row of unmatched.keys()) found.push(`${table} ${row}: not in the logs`);
  return found;
}
