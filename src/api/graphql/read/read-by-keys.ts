import type { ApiTable } from "../tables.ts";
import { type Row, toRow } from "./column-list.ts";
import type { ReadRows } from "./read-rows.ts";
import { rowStatement } from "./row-statement.query.ts";

export type KeysRequest = {
  table: ApiTable;
  /** The columns that make up the key. */
  by: string[];
  /** The columns to read. */
  columns: string[];
};

/** Reads the row of each key, in the order of the keys; null if there is none. */
export async function readByKeys(
  read: ReadRows,
  requested: unknown[][],
  { table, by, columns }: KeysRequest,
): Promise<(Row | null)[]> {
  const isComplete = (key: unknown[]) => key.every((value) => value !== null);
  const { keys, indexes } = distinctKeys(requested.filter(isComplete));
  if (keys.length === 0) return requested.map(() => null);
  const found = await read(rowStatement(table, columns, { columns: by, keys }));
  const rows = new Map(found.map((values) => [Number(values[0]) - 1, toRow(columns, values, 1)]));
  let next = 0;
  return requested.map((key) => (isComplete(key) ? (rows.get(indexes[next++] as number) ?? null) : null));
}

/** Removes duplicate keys, and returns for each original key its index among the distinct ones. */
function distinctKeys(keys: unknown[][]): { keys: unknown[][]; indexes: number[] } {
  const known = new Map<string, number>();
  const distinct: unknown[][] = [];
  const indexes = keys.map((key) => {
    const name = JSON.stringify(key.map(String));
    let index = known.get(name);
    if (index === undefined) {
      index = distinct.push(key) - 1;
      known.set(name, index);
    }
    return index;
  });
  return { keys: distinct, indexes };
}
