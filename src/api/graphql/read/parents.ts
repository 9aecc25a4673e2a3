import type { ApiTable } from "../tables.ts";
import type { Parameters } from "./parameters.ts";

/** Rows with related rows: the columns of the related table to match, and each parent's values for them. */
export type Parents = { columns: string[]; keys: unknown[][] };

/** How a statement is run for each parent. */
export type ParentJoin = {
  /** Conditions by which a row belongs to its parent. */
  conditions: string[];
  /** Wraps the statement to run for each parent: its rows then start with the parent's number, counting from 1. */
  forEach: (statement: string) => string;
};

export function joinParents(
  parents: Parents | undefined,
  table: ApiTable,
  parameters: Parameters,
): ParentJoin {
  if (parents === undefined) return { conditions: [], forEach: (statement) => statement };
  const { columns, keys } = parents;
  const [key, another] = keys;
  if (key !== undefined && another === undefined) {
    return {
      conditions: columns.map((name, at) => `${sqlName(table, name)} = ${parameters.add(key[at])}`),
      forEach: (statement) => `select 1, found.* from (${statement}) as found`,
    };
  }
  const arrays = columns.map((name, at) => {
    const values = parameters.add(keys.map((key) => key[at]));
    return `${values}::${table.columns.get(name)?.sqlType}[]`;
  });
  const names = [...columns.map((_, at) => keyName(at)), "number"].join(", ");
  return {
    conditions: columns.map((name, at) => `${sqlName(table, name)} = parent.${keyName(at)}`),
    forEach: (statement) =>
      `select parent.number, found.* from unnest(${arrays.join(", ")}) with ordinality as parent (${names}) cross join lateral (${statement}) as found`,
  };
}

const keyName = (at: number) => `key_${at + 1}`;
const sqlName = (table: ApiTable, name: string) => `"${table.columns.get(name)?.sqlName}"`;
