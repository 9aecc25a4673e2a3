import type { SQL } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgTransaction } from "drizzle-orm/pg-core";
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
    // For a server that can't be heard any more, and so ends nothing.
    query_timeout: (statementSeconds + 1) * 1_000,
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
  const ask = async () => (await db.execute(query)).rows as Row[];
  // A transaction has to begin anew as a whole.
  return db instanceof PgTransaction ? await ask() : await unlocked(ask);
}

/** What `read` finds in one state of the database. May call it more than once. */
export async function inSnapshot<Answer>(
  db: NodePgDatabase,
  read: (tx: Database) => Promise<Answer>,
): Promise<Answer> {
  return await unlocked(() =>
    db.transaction(read, { isolationLevel: "repeatable read", accessMode: "read only" }),
  );
}

const mostAttempts = 5;

/**
 * Asks again when Postgres has ended the question to resolve a deadlock: to take back blocks, Ponder locks its tables one
 * after the other, and who reads several of them may hold one and wait for another.
 */
async function unlocked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === mostAttempts || (error as { code?: unknown }).code !== "40P01") throw error;
    }
  }
}
