import type { ApiTable } from "../tables.ts";
import type { Parameters } from "./parameters.ts";

/** Rows with rows of their own: their values of the columns by which these are found. */
export type Parents = { columns: string[]; keys: unknown[][] };

/** Has a statement be run for each parent: its rows then begin with the parent's number, from 1 on. */
export function joinedTo(
  parents: Parents | undefined,
  table: ApiTable,
  parameters: Parameters,
): (statement: string) => string {
  if (parents === undefined) return (statement) => statement;
  const arrays = parents.columns.map((name, at) => {
    const values = parameters.add(parents.keys.map((key) => key[at]));
    return `${values}::${table.columns.get(name)?.sqlType}[]`;
  });
  const names = [...parents.columns.map((_, at) => keyName(at)), "number"].join(", ");
  return (statement) =>
    `select parent.number, found.* from unnest(${arrays.join(", ")}) with ordinality as parent (${names}) cross join lateral (${statement}) as found`;
}

/** That a row is one of its parent's. */
export function parentConditions(parents: Parents | undefined, table: ApiTable): string[] {
  return (parents?.columns ?? []).map(
    (name, at) => `"${table.columns.get(name)?.sqlName}" = parent.${keyName(at)}`,
  );
}

const keyName = (at: number) => `key_${at + 1}`;
