import type { OpenDatabase } from "./database.ts";

/** Returns the rows of all tables of a schema, as sorted text. */
export async function readRows(
  { query }: Pick<OpenDatabase, "query">,
  schema: string,
): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = $1 and relkind = 'r' and relname !~ '^_' order by relname`,
    [schema],
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await query<{ row: string }>(`select t::text as row from ${schema}.${name} t order by 1`);
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** Returns the rows that only one of two reads has, the first few of each table. */
export function rowDifferences(
  expected: Record<string, string[]>,
  actual: Record<string, string[]>,
  limit = 3,
): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].flatMap((name) => {
    const [wanted, found] = [new Set(expected[name]), new Set(actual[name])];
    const missing = [...wanted].filter((row) => !found.has(row)).map((row) => `${name} lacks ${row}`);
    const extra = [...found].filter((row) => !wanted.has(row)).map((row) => `${name} has ${row}`);
    return [...missing.slice(0, limit), ...extra.slice(0, limit)];
  });
}
