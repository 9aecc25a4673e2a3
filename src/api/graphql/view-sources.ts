import type { Column } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { tokenActivity } from "../../../offchain/activity.ts";
import { columnOf } from "./column-kinds.ts";
import type { ApiTable } from "./tables.ts";

/** The table that a view begins with, whose indexes its conditions and orders reach. */
export type Source = Pick<ApiTable, "columns" | "indexes" | "hashed" | "ordered"> & { sqlTable: string };

export function sourceOf({ sqlTables, columns, indexes, hashed }: ApiTable): Source {
  return { sqlTable: sqlTables[0], columns, indexes, hashed, ordered: false };
}

/** Each of its rows is joined to one row by key, so that a page in an index's order comes without a sort. */
export function activitySource(): Source {
  const { name, columns, primaryKeys, indexes } = getTableConfig(tokenActivity);
  // A view is of one schema: that column comes first in every index, and orders nothing.
  const namesOf = (columns: unknown[]) => columns.slice(1).map((column) => (column as Column).name);
  return {
    sqlTable: name,
    columns: new Map(columns.map((column) => [column.name, columnOf(column)])),
    indexes: [
      ...primaryKeys.map(({ columns }) => namesOf(columns)),
      ...indexes.map(({ config }) => namesOf(config.columns)),
    ],
    hashed: [],
    ordered: true,
  };
}
