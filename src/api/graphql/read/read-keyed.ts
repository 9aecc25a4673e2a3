import type { ApiTable } from "../tables.ts";
import { type Row, toRow } from "./column-list.ts";
import type { ReadRows } from "./read-rows.ts";
import { rowStatement } from "./row-statement.query.ts";

export type KeyedRequest = {
  table: ApiTable;
  /** The columns of the keys. */
  by: string[];
  /** The columns to read. */
  columns: string[];
};

/** Reads the row of each key, in their order; null where there is none. */
export async function readKeyed(
  read: ReadRows,
  given: unknown[][],
  { table, by, columns }: KeyedRequest,
): Promise<(Row | null)[]> {
  const isComplete = (key: unknown[]) => key.every((value) => value !== null);
  const { keys, places } = distinctKeys(given.filter(isComplete));
  if (keys.length === 0) return given.map(() => null);
  const found = await read(rowStatement(table, columns, { columns: by, keys }));
  const rows = new Map(found.map((values) => [Number(values[0]) - 1, toRow(columns, values, 1)]));
  let next = 0;
  return given.map((key) => (isComplete(key) ? (rows.get(places[next++] as number) ?? null) : null));
}

/** Each different key once, and where each of the given ones is among them. */
function distinctKeys(keys: unknown[][]): { keys: unknown[][]; places: number[] } {
  const known = new Map<string, number>();
  const distinct: unknown[][] = [];
  const places = keys.map((key) => {
    const name = JSON.stringify(key.map(String));
    let place = known.get(name);
    if (place === undefined) {
      place = distinct.push(key) - 1;
      known.set(name, place);
    }
    return place;
  });
  return { keys: distinct, places };
}
