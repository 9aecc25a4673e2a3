import type { ApiTable } from "../tables.ts";
import { columnList } from "./column-list.ts";
import { Parameters, type Statement } from "./parameters.ts";
import { joinedTo, type Parents, parentConditions } from "./parents.ts";

/** Reads the one row of each key. */
export function rowStatement(table: ApiTable, columns: string[], keys: Parents): Statement {
  const parameters = new Parameters();
  const source = joinedTo(keys, table, parameters);
  const where = parentConditions(keys, table).join(" and ");
  const text = source(`select ${columnList(table, columns)} from ${table.sqlName} where ${where} limit 1`);
  return { text, values: parameters.values };
}
