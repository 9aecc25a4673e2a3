import { type SQL, sql } from "drizzle-orm";
import { sqlName } from "./sql-name.ts";

/** The columns of a query by name, typed by the values that the driver returns. */
export type Columns = Record<string, SQL<unknown>>;

/** A row with these columns. */
export type RowOf<Selected extends Columns> = {
  [Name in keyof Selected]: Selected[Name]["_"]["type"];
};

/** Returns the columns as a select list. */
export function columnList(columns: Columns): SQL {
  return sql.join(
    Object.entries(columns).map(([name, column]) => sql`${column} as ${sqlName(name)}`),
    sql`, `,
  );
}
