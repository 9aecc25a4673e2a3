import { withClient } from "../shared/database.ts";

/** By table, the number of rows and a checksum over all rows in the order of the primary key. */
export type Checksums = Record<string, { rows: number; md5: string }>;

const tablesWithKeys = `
  select relname as name, string_agg(quote_ident(attname), ', ' order by place) as key
  from pg_class
    join pg_index on indrelid = pg_class.oid and indisprimary
    cross join unnest(indkey) with ordinality as part(number, place)
    join pg_attribute on attrelid = pg_class.oid and attnum = number
  where relnamespace = $1::regnamespace and relkind = 'r' and relname not like '\\_%'
  group by relname order by relname`;

/** Computes the checksums of all tables in a schema, except Ponder's internal ones. */
export async function computeChecksums(databaseUrl: string, schema: string): Promise<Checksums> {
  return await withClient(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string; key: string }>(tablesWithKeys, [schema]);
    const sums: Checksums = {};
    for (const { name, key } of tables) {
      const { rows } = await client.query<{ rows: number; md5: string }>(
        `select count(*)::int as rows, md5(coalesce(string_agg(md5(t::text), '' order by ${key}), '')) as md5
         from "${schema}"."${name}" t`,
      );
      if (rows[0] !== undefined) sums[name] = rows[0];
    }
    return sums;
  });
}

export type Comparison = { tables: number; rows: number; differences: string[] };

/** Compares all runs of ours with a run of Ponder's on the same chain; undefined without a complete run of both. */
export function compareTables(ours: Checksums[], [reference]: Checksums[]): Comparison | undefined {
  if (reference === undefined || ours.length === 0) return undefined;
  const tables = Object.values(reference);
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    differences: [...new Set(ours.flatMap((sums) => findDifferences(sums, reference)))],
  };
}

/** Returns a line for each table that differs. */
function findDifferences(left: Checksums, right: Checksums): string[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return names.flatMap((name) => {
    const [one, other] = [left[name], right[name]];
    if (one !== undefined && one.rows === other?.rows && one.md5 === other.md5) return [];
    return [`${name}: ${one?.rows ?? "no"} and ${other?.rows ?? "no"} rows`];
  });
}
