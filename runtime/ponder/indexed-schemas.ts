import type pg from "pg";
import { longestSchemaName } from "../../config/database.ts";
import { checkpointBlock } from "../../config/parse.ts";
import { schemaLocks } from "../../offchain/advisory-locks.ts";
import { inTransaction, literal, onConnection, statement } from "../../offchain/connection.ts";
import { isBeingIndexed, readLiveSchemas } from "../../offchain/live-schema.ts";
import { StartError } from "../start-error.ts";
import { readParkedViews, readViewsState } from "./views/create-views.ts";

export type IndexedSchema = {
  schema: string;
  /** When it last became live; undefined if it never did. */
  liveSince: Date | undefined;
  isLive: boolean;
  isIndexed: boolean;
  /** The number of processes that serve it. */
  servers: number;
  bytes: number;
  position: IndexPosition;
};

/**
 * Reads every schema that anything was indexed into, the live one first. Those of other Ponder apps in the database are not among them.
 * Throws the driver's error.
 */
export async function readIndexedSchemas(client: pg.ClientBase): Promise<IndexedSchema[]> {
  const history = await readLiveSchemas(client);
  const { rows } = await client.query<{ schema: string; servers: string; bytes: string }>(
    `select nspname as schema,
       (select count(*) from pg_stat_activity
         where datname = current_database() and application_name = nspname || '_listener') as servers,
       (select coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) from pg_class
         where relnamespace = pg_namespace.oid and relkind in ('r', 'm')) as bytes
     from pg_namespace
     where (select count(*) from pg_class where relnamespace = pg_namespace.oid and relkind = 'r'
       and relname in ('_ponder_checkpoint', 'trade')) = 2
     order by nspname`,
  );
  const schemas: IndexedSchema[] = [];
  for (const { schema, servers, bytes } of rows) {
    schemas.push({
      schema,
      liveSince: history.find((entry) => entry.schema === schema)?.since,
      isLive: history[0]?.schema === schema,
      isIndexed: await isBeingIndexed(client, schema),
      servers: Number(servers),
      bytes: Number(bytes),
      position: await readIndexPosition(client, schema),
    });
  }
  return schemas.sort((left, right) => Number(right.isLive) - Number(left.isLive));
}

/** Reads the names of all schemas that anything was indexed into. */
export async function readIndexedNames(client: Pick<pg.ClientBase, "query">): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(
    `select nspname as schema from pg_namespace join pg_class on relnamespace = pg_namespace.oid
     where relname = '_ponder_checkpoint' and relkind = 'r'`,
  );
  return rows.map(({ schema }) => schema);
}

/** Returns the next name after a schema's that is not taken: onchain_2 after onchain, and so on. A long one is shortened for it. */
export function nextSchemaName(schema: string, taken: ReadonlySet<string>): string {
  const stem = schema.replace(/_\d+$/, "");
  for (let number = 2; ; number++) {
    const ending = `_${number}`;
    const name = stem.slice(0, longestSchemaName - ending.length) + ending;
    if (!taken.has(name)) return name;
  }
}

/**
 * Drops a schema and its rows in `offchain`. Throws a StartError if it is in use, or not one of ours, and the driver's error if somebody
 * keeps reading it.
 */
export async function dropIndexedSchema(
  client: pg.ClientBase,
  schema: string,
  { lockTimeout = "10s" } = {},
): Promise<void> {
  // Held until the end, so that no indexer starts meanwhile.
  const { rows } = await client.query("select pg_try_advisory_lock($1, hashtext($2)) as taken", [
    schemaLocks,
    schema,
  ]);
  if (!rows[0].taken) throw refused(schema, "a process indexes into it: stop that first");
  const indexed = (await readIndexedSchemas(client)).find((one) => one.schema === schema);
  if (indexed === undefined) throw refused(schema, "nothing was ever indexed into it");
  if (indexed.isLive) throw refused(schema, "it is the live one");
  if (indexed.servers > 0) throw refused(schema, `${indexed.servers} processes serve it: stop them first`);
  if (await hasAnalystsViews(client, schema)) {
    throw refused(
      schema,
      "the views for analysts are over it, and people may have created views over those: npm start moves them to the live schema within seconds, once nobody reads them",
    );
  }
  const others = await readViewsOver(client, schema);
  if (others.length > 0) {
    throw refused(
      schema,
      `other views are over it, and would be dropped too: ${others.join(", ")}. Drop them first`,
    );
  }
  await inTransaction(client, async () => {
    await client.query(statement`set local lock_timeout = ${literal(lockTimeout)}`);
    await client.query(statement`drop schema ${schema} cascade`);
    await client.query(
      `with event as (delete from offchain.stream_event where schema = $1),
         state as (delete from offchain.stream_state where schema = $1),
         pause as (delete from offchain.stream_pause where schema = $1),
         activity as (delete from offchain.token_activity where schema = $1),
         activity_state as (delete from offchain.token_activity_state where schema = $1),
         repair as (update offchain.repair_request set stale = array_remove(stale, $1) where $1 = any(stale))
       delete from offchain.price_feed where onchain_schema = $1`,
      [schema],
    );
  });
  await client.query("select pg_advisory_unlock($1, hashtext($2))", [schemaLocks, schema]);
}

/** Reads the names of the views elsewhere that read tables of the schema, except spare ones of ours. */
async function readViewsOver(client: pg.ClientBase, schema: string): Promise<string[]> {
  const spare = (await readParkedViews(client)).filter(({ isSpare }) => isSpare);
  const { rows } = await client.query<{ name: string }>(
    `select distinct format('%I.%I', of_view.nspname, view.relname) as name
     from pg_depend join pg_rewrite on pg_rewrite.oid = objid join pg_class view on view.oid = ev_class
       join pg_namespace of_view on of_view.oid = view.relnamespace
       join pg_class read on read.oid = refobjid join pg_namespace of_read on of_read.oid = read.relnamespace
     where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and of_read.nspname = $1
       and of_view.nspname <> all($2) order by name`,
    [schema, [schema, ...spare.map(({ name }) => name)]],
  );
  return rows.map(({ name }) => name);
}

/** Whether views are over the schema that users may have created views over. All of these would be dropped with it. */
async function hasAnalystsViews(client: pg.ClientBase, schema: string): Promise<boolean> {
  const shown = await readViewsState(client);
  const parked = (await readParkedViews(client)).filter(({ isSpare }) => !isSpare);
  return [...(shown.is === "ours" ? [shown] : []), ...parked].some(({ over }) => over === schema);
}

const refused = (schema: string, reason: string) =>
  new StartError(`the schema ${schema} is not dropped: ${reason}`, { code: "in-use" });

/** The last indexed block of each chain. */
export type IndexPosition = Map<number, number>;

type Client = Pick<pg.ClientBase, "query">;

/** Reads how far a schema is indexed. Returns an empty map if it has no tables yet. Throws the driver's error. */
export async function readIndexPosition(client: Client, schema: string): Promise<IndexPosition> {
  if (!(await hasTable(client, schema, "_ponder_checkpoint"))) return new Map();
  const { rows } = await client.query<{ chain_id: string; latest_checkpoint: string }>(
    statement`select chain_id, latest_checkpoint from ${schema}._ponder_checkpoint`,
  );
  return new Map(rows.map((row) => [Number(row.chain_id), checkpointBlock(row.latest_checkpoint)] as const));
}

/**
 * Begins a transaction that makes an indexer wait before it writes another block into a schema, until the transaction ends. Reads
 * continue. Throws the driver's error, also if the current block takes too long. If this process stops or vanishes meanwhile,
 * Postgres ends the transaction after `atMostMs`.
 */
export async function freezeIndex(client: Client, schema: string, { atMostMs = 90_000 } = {}): Promise<void> {
  await client.query("begin");
  await client.query(statement`set local idle_in_transaction_session_timeout = ${literal(String(atMostMs))}`);
  await client.query("set local lock_timeout = '10s'");
  await client.query(statement`lock table ${schema}._ponder_checkpoint in share mode`);
}

/** Whether a position is at least as far as another one, on each of the other's chains. */
export function reachesPosition(position: IndexPosition, other: IndexPosition): boolean {
  return [...other].every(([chain, block]) => (position.get(chain) ?? -1) >= block);
}

/** Whether anything has ever been indexed into the schema. Throws the driver's error. */
export async function isIndexed(databaseUrl: string, schema: string): Promise<boolean> {
  return await onConnection(databaseUrl, (client) => hasTable(client, schema, "_ponder_checkpoint"));
}

/** Whether the schema has one of the tables that Ponder keeps its state in. */
export async function hasTable(
  client: Client,
  schema: string,
  table: "_ponder_checkpoint" | "_ponder_meta",
): Promise<boolean> {
  const { rows } = await client.query("select to_regclass($1) is not null as exists", [
    statement`${schema}.${table}`,
  ]);
  return rows[0].exists;
}
