import type pg from "pg";

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
export async function checksumsOf(client: pg.Client, schema: string): Promise<Checksums> {
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
}

/** Returns a line for each table that differs. */
export function differences(left: Checksums, right: Checksums): string[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return names.flatMap((name) => {
    const [one, other] = [left[name], right[name]];
    if (one !== undefined && one.rows === other?.rows && one.md5 === other.md5) return [];
    return [`${name}: ${one?.rows ?? "no"} and ${other?.rows ?? "no"} rows`];
  });
}
