import { type SQL, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect, PgTransaction } from "drizzle-orm/pg-core";
import pg from "pg";
import { retryRead } from "./retry.ts";

/** The database by way of a pool, as snapshots and the queries that are made often take it. */
export type PooledDatabase = NodePgDatabase & { $client: pg.Pool };

/** What queries take: the whole database, or a transaction in it. */
export type Database = Pick<NodePgDatabase, "execute" | "select">;

const connectSeconds = 4;

export type PoolOptions = {
  url: string | undefined;
  /** How the connections show in pg_stat_activity. */
  name: string;
  connections: number;
  /** Seconds after which a statement fails. */
  statementSeconds: number;
};

/** Connections of our own, apart from those of GraphQL. Waiting more than 4 s for one fails. */
export function createPool({ url, name, connections, statementSeconds }: PoolOptions): pg.Pool {
  const settings: pg.PoolConfig & { onConnect: (client: pg.ClientBase) => Promise<unknown> } = {
    connectionString: url,
    application_name: name,
    max: connections,
    connectionTimeoutMillis: connectSeconds * 1_000,
    statement_timeout: statementSeconds * 1_000,
    // For a server that can't be heard any more, and so ends nothing.
    query_timeout: (statementSeconds + 1) * 1_000,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    allowExitOnIdle: true,
    // Every query has an index to use, also where statistics that are out of date suggest to read the whole table. Ours
    // name their schemas; without a path, nobody's function in `public` can stand in for one of Postgres.
    onConnect: (client) =>
      client.query("set enable_seqscan = off; set jit = off; set search_path = pg_catalog"),
  };
  return hearErrors(new pg.Pool(settings));
}

/** Keeps lost connections of a pool from ending the process. */
export function hearErrors(pool: pg.Pool): pg.Pool {
  pool.on("error", leaveToQueries);
  pool.on("connect", (client) => client.on("error", leaveToQueries));
  return pool;
}

/**
 * A server that stops cuts connections, idle ones and those in the middle of a transaction. Pending queries
 * reject with the error; without a listener it would end the process as well.
 */
const leaveToQueries = () => {};

export function openDatabase(pool: pg.Pool): PooledDatabase {
  return drizzle(pool, { casing: "snake_case" });
}

/** Runs a query built by drizzle. Rows are typed by its columns; numeric and bigint columns are bigints. */
export async function selectRows<Row>(db: Database, query: () => PromiseLike<Row[]>): Promise<Row[]> {
  // A transaction has to begin anew as a whole.
  if (db instanceof PgTransaction) return await query();
  return await retryRead((db as Partial<PooledDatabase>).$client, async () => await query());
}

/** Runs a query in SQL. Columns are as the driver returns them: numeric and bigint as strings. */
export async function queryRows<Row>(db: Database, query: SQL): Promise<Row[]> {
  return await selectRows(db, async () => (await db.execute(query)).rows as Row[]);
}

/** What `read` finds in one state of the database. May call it more than once. */
export async function inSnapshot<Answer>(
  db: PooledDatabase,
  read: (tx: Database) => Promise<Answer>,
): Promise<Answer> {
  return await retryRead(db.$client, () =>
    db.transaction(read, { isolationLevel: "repeatable read", accessMode: "read only" }),
  );
}

/** Lets the queries of `read` scan tables from end to end, which is faster for what reads everything. */
export async function allowSeqScans<Answer>(tx: Database, read: () => Promise<Answer>): Promise<Answer> {
  await tx.execute(sql`set local enable_seqscan = on`);
  const answer = await read();
  await tx.execute(sql`set local enable_seqscan = off`);
  return answer;
}

const dialect = new PgDialect({ casing: "snake_case" });

/**
 * A query that is made many times a second: sent as a named statement, which each connection parses and plans once. The
 * returned function takes its values.
 *
 * @param query with a placeholder for each value, in their order
 */
export function prepareRows<Row>(name: string, query: () => SQL) {
  let text: string | undefined;
  return async (db: PooledDatabase, values: unknown[]): Promise<Row[]> => {
    text ??= dialect.sqlToQuery(query()).sql;
    const statement = { name, text, values };
    return await retryRead(db.$client, async () => (await db.$client.query(statement)).rows as Row[]);
  };
}
