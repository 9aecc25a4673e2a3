import type { ApiTable } from "../tables.ts";
import { columnList } from "./column-list.ts";
import { Parameters, type Statement } from "./parameters.ts";
import { joinParents, type Parents } from "./parents.ts";

/** Reads the row of each key. */
export function rowStatement(table: ApiTable, columns: string[], keys: Parents): Statement {
  const parameters = new Parameters();
  const { conditions, forEach } = joinParents(keys, table, parameters);
  const row = `select ${columnList(table, columns)} from ${table.sqlName} where ${conditions.join(" and ")} limit 1`;
  return { text: forEach(row), values: parameters.values };
}
