import pg from "pg";
import { migrate } from "../../runtime/migrate.ts";

/** Creates an empty database on the server and runs the off-chain migrations. Returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href, { log: console.log });
  return url.href;
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await query(serverUrl, `drop database ${name} with (force)`);
}

/** Vacuums and checkpoints now, so that Postgres doesn't do it in the background of the next measurement. */
export async function settle(url: string): Promise<void> {
  await query(url, "vacuum analyze");
  await query(url, "checkpoint");
}

/** The size on disk of the tables and indexes of these schemas, in MiB. */
export async function sizeOf(url: string, schemas: string[]): Promise<number> {
  const { rows } = await query(
    url,
    `select sum(pg_total_relation_size(c.oid)) / 1048576 as mib
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = any($1)`,
    [schemas],
  );
  return Number(rows[0]?.mib);
}

/** Runs a statement on a connection of its own. */
export async function query(url: string, statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return await client.query(statement, values).finally(() => client.end());
}
