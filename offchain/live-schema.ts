import type pg from "pg";
import { schemaLocks } from "./advisory-locks.ts";

type Client = Pick<pg.ClientBase, "query">;

export type LiveSchema = { schema: string; since: Date };

/**
 * Reads the history of live schemas, the current one first. A schema has an entry for each time that it became live.
 */
export async function readLiveSchemas(client: Client): Promise<LiveSchema[]> {
  const { rows } = await client.query<LiveSchema>(
    "select schema, since from offchain.live_schema order by id desc",
  );
  return rows;
}

/** Makes a schema the live one, unless it is already. */
export async function recordLiveSchema(client: Client, schema: string): Promise<void> {
  await client.query(
    `insert into offchain.live_schema (schema)
     select $1::text where $1 is distinct from (select schema from offchain.live_schema order by id desc limit 1)`,
    [schema],
  );
}

/** Makes the previous schema the live one again, as if this one had never been live. */
export async function revertLiveSchema(client: Client, schema: string): Promise<void> {
  await client.query(
    `delete from offchain.live_schema
     where schema = $1 and id = (select max(id) from offchain.live_schema)`,
    [schema],
  );
}

/** Whether a process indexes into a schema. */
export async function isBeingIndexed(client: Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and granted and classid = $1
       and objid::bigint = hashtext($2)::bigint & 4294967295
       and database = (select oid from pg_database where datname = current_database())`,
    [schemaLocks, schema],
  );
  return rowCount !== 0;
}

/** Whether nobody indexes into a schema any more, and another one is live. */
export async function isAbandoned(client: Client, schema: string): Promise<boolean> {
  const [live] = await readLiveSchemas(client);
  return live !== undefined && live.schema !== schema && !(await isBeingIndexed(client, schema));
}
