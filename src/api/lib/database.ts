import type { SQL } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";

/** What queries take: the whole database, or a transaction in it. */
export type Database = Pick<NodePgDatabase, "execute">;

/** Connections for REST, apart from those of GraphQL, whose queries may take their time. */
const connections = 10;
const connectSeconds = 4;
const statementSeconds = 10;

/**
 * Connections of the REST API. A statement that takes more than 10 s fails, and so does waiting more than 4 s for a
 * connection.
 */
export function createPool(url: string | undefined, applicationName: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: connections,
    connectionTimeoutMillis: connectSeconds * 1_000,
    statement_timeout: statementSeconds * 1_000,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  // A server that stops cuts idle connections; the next request connects anew or says that the database is away.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    // Every query has an index to use, also where statistics that are out of date suggest to read the whole table.
    client.query("set enable_seqscan = off; set jit = off").catch(() => {});
  });
  return pool;
}

export function openDatabase(pool: pg.Pool): NodePgDatabase {
  return drizzle(pool, { casing: "snake_case" });
}

/** The rows of a query. Columns come as the driver has them: numeric and bigint as strings. */
export async function rows<Row>(db: Database, query: SQL): Promise<Row[]> {
  const result = await db.execute(query);
  return result.rows as Row[];
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
  return async (db: NodePgDatabase, values: unknown[]): Promise<Row[]> => {
    text ??= dialect.sqlToQuery(query()).sql;
    const { $client } = db as NodePgDatabase & { $client: pg.Pool };
    const result = await $client.query({ name, text, values });
    return result.rows as Row[];
  };
}
