import { DuckDBInstance } from "@duckdb/node-api";
import type { OpenDatabase } from "./database.ts";

/*
 * Reads rows of Postgres and of Parquet files as text, with SQL that shares nothing with the export.
 */

export type TextRow = Record<string, string | null>;

/** Returns the rows of a table or a subquery. Times are microseconds since 1970. */
export async function postgresRows(
  { query }: OpenDatabase,
  { from, order, columns }: { from: string; order: string; columns?: string[] },
): Promise<TextRow[]> {
  // JSON.parse would round integers that are too long for a double.
  const rows = await query<{ row: TextRow }>(
    `select (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(r))) as row
     from (select * from ${from}) r order by ${order}`,
  );
  return rows.map(({ row }) =>
    Object.fromEntries(
      (columns ?? Object.keys(row)).toSorted().map((name) => {
        const value = row[name] ?? null;
        return [name, name === "registered_at" && value !== null ? microseconds(value) : value];
      }),
    ),
  );
}

/**
 * Returns the rows of the Parquet files that a pattern matches, with the amounts that exceed a decimal restored from
 * `out_of_range`, and without the columns that the export adds.
 */
export async function parquetRows(files: string, order: string): Promise<TextRow[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(
    `select * from read_parquet('${files}', hive_partitioning = false) order by ${order}`,
  );
  const rows = found.getRowObjects().map((row) => {
    const lost = JSON.parse(String(row.out_of_range ?? "{}")) as TextRow;
    const cells = Object.entries(row).flatMap(([name, value]): [string, string | null][] => {
      if (name === "out_of_range") return [];
      const twin = name.replace(/_double$/, "");
      if (twin !== name && twin in row) {
        // It must be the double that is nearest to the exact amount beside it.
        if (value !== (row[twin] === null ? null : Number(row[twin])))
          throw new Error(`${name} is not ${row[twin]}`);
        return [];
      }
      return [[name, lost[name] ?? textOf(value)]];
    });
    return Object.fromEntries(cells.sort(([left], [right]) => (left < right ? -1 : 1)));
  });
  connection.closeSync();
  instance.closeSync();
  return rows;
}

const textOf = (value: unknown) =>
  value === null
    ? null
    : typeof value === "object" && "micros" in value
      ? String(value.micros)
      : String(value);

/** Converts a timestamp in the form that Postgres uses in JSON. */
function microseconds(time: string): string {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? "";
  const seconds = Date.parse(time.replace(/\.\d+/, "")) / 1_000;
  return String(BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0")));
}
