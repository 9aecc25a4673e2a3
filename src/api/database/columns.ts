import { type SQL, sql } from "drizzle-orm";
import { sqlName } from "./sql-name.ts";

/** Columns of a query by their names, each typed by what the driver makes of it. */
export type Columns = Record<string, SQL<unknown>>;

/** A row of such columns. */
export type RowOf<Selected extends Columns> = {
  [Name in keyof Selected]: Selected[Name] extends SQL<infer Value> ? Value : never;
};

/** The columns as SQL has them after `select`. */
export function columnList(columns: Columns): SQL {
  return sql.join(
    Object.entries(columns).map(([name, column]) => sql`${column} as ${sqlName(name)}`),
    sql`, `,
  );
}
