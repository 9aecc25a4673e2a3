import type { Column } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { tokenActivity } from "../../../offchain/activity.ts";
import { toApiColumn } from "./column-kinds.ts";
import type { ApiTable } from "./tables.ts";

/** The first table of a view, whose indexes the view's conditions and orders can use. */
export type Source = Pick<ApiTable, "columns" | "indexes" | "hashed" | "ordered"> & { sqlTable: string };

export function toSource({ sqlTables, columns, indexes, hashed }: ApiTable): Source {
  return { sqlTable: sqlTables[0], columns, indexes, hashed, ordered: false };
}

/** Each row of this table is joined to one row by key, so a page in an index's order needs no sort. */
export function activitySource(): Source {
  const { name, columns, primaryKeys, indexes } = getTableConfig(tokenActivity);
  // A view covers one schema: that column is the first of every index, and has a single value.
  const namesOf = (columns: unknown[]) => columns.slice(1).map((column) => (column as Column).name);
  return {
    sqlTable: name,
    columns: new Map(columns.map((column) => [column.name, toApiColumn(column)])),
    indexes: [
      ...primaryKeys.map(({ columns }) => namesOf(columns)),
      ...indexes.map(({ config }) => namesOf(config.columns)),
    ],
    hashed: [],
    ordered: true,
  };
}
