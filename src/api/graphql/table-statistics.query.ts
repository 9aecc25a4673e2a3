import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";

/** The tables' sizes and values, as estimated by Postgres' planner. */
export type TableStatistics = {
  /** Estimates how many rows a table has. */
  size: (table: string) => number;
  /**
   * Estimates, rather too high than too low, the share of a table's rows that have the value in the column; without a value, the
   * share of the most common one. Undefined before the table is first analyzed.
   */
  share: (table: string, column: string, value?: string) => number | undefined;
  /** The share of a table's rows that have the value in the column, if it is among the most common ones; 0 for others. */
  commonShare: (table: string, column: string, value?: string) => number;
};

type TableRow = { table: string; size: number };

type ColumnRow = {
  table: string;
  column: string;
  /** The number of distinct values; if negative, as a share of the rows. */
  distinct: number;
  values: string[] | null;
  shares: number[] | null;
};

/** Rows are rarely smaller than this. Used for tables that have not been analyzed. */
const minRowBytes = 100;

/** @param schema the schema of the on-chain tables */
export async function readTableStatistics(db: Database, schema: string): Promise<TableStatistics> {
  const schemas = sql`in (${schema}, 'offchain')`;
  // The number of rows at the last analysis, scaled by the file's growth since, as the planner does.
  const tables = await queryRows<TableRow>(
    db,
    sql`select relname as table,
          case when reltuples > 0 and relpages > 0
            then reltuples / relpages * pg_relation_size(pg_class.oid) / current_setting('block_size')::float8
            else pg_relation_size(pg_class.oid)::float8 / ${minRowBytes} end as size
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relkind = 'r' and nspname ${schemas}`,
  );
  const columns = await queryRows<ColumnRow>(
    db,
    sql`select stats.tablename as table, attname as column, n_distinct as distinct,
          most_common_vals::text::text[] as values, most_common_freqs as shares
        from pg_stats stats
        where stats.schemaname ${schemas}
          and exists (select from pg_indexes indexes
            where indexes.schemaname = stats.schemaname and indexes.tablename = stats.tablename
              and position(attname::text in indexdef) > 0)`,
  );
  return statisticsOf(tables, columns);
}

export function statisticsOf(tables: TableRow[], columns: ColumnRow[]): TableStatistics {
  const sizes = new Map(tables.map(({ table, size }) => [table, size]));
  const byColumn = new Map(columns.map((column) => [`${column.table}.${column.column}`, column]));
  const size = (table: string) => sizes.get(table) ?? 0;
  return {
    size,
    share(table, name, value) {
      const column = byColumn.get(`${table}.${name}`);
      return column === undefined ? undefined : shareOf(column, size(table), value);
    },
    commonShare(table, name, value) {
      const column = byColumn.get(`${table}.${name}`);
      return column === undefined || value === undefined ? 0 : (commonShare(column, value) ?? 0);
    },
  };
}

/** How much more common than average a value may be without being among the most common ones. */
const aboveAverage = 10;

function shareOf({ distinct, values, shares }: ColumnRow, size: number, value: string | undefined): number {
  const common = shares ?? [];
  const rest = 1 - common.reduce((sum, share) => sum + share, 0);
  const count = (distinct < 0 ? -distinct * size : distinct) - common.length;
  const other = Math.min((aboveAverage * Math.max(rest, 0)) / Math.max(count, 1), ...common, 1);
  if (value === undefined) return common[0] ?? other;
  return commonShare({ values, shares }, value) ?? other;
}

function commonShare({ values, shares }: Pick<ColumnRow, "values" | "shares">, value: string) {
  return shares?.[values?.indexOf(value) ?? -1];
}
