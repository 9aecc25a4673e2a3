import { type SQL, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { connectionOptions } from "../../../config/connection-options.ts";
import {
  inSnapshot as inPoolSnapshot,
  onPooledConnection,
  tolerateLostConnections,
} from "../../../offchain/connection.ts";
import { cancelStatement } from "./cancel-statement.ts";
import { retryRead } from "./retry.ts";

/** A database with its pool, as snapshots and prepared queries need it. */
export type PooledDatabase = NodePgDatabase & { $client: pg.Pool };

/** What queries take: a database, or a transaction in it, which is on one connection. */
export type Database = Pick<NodePgDatabase, "execute" | "select"> & { $client?: pg.Pool | pg.ClientBase };

const connectSeconds = 4;

export type PoolOptions = {
  url: string | undefined;
  /** The application name of the connections in pg_stat_activity. */
  name: string;
  connections: number;
  /** Seconds after which a statement fails. */
  statementSeconds: number;
};

/** Creates a pool of our own, separate from Ponder's, which GraphQL uses. Waiting more than 4 s for a connection fails. */
export function createPool({ url, name, connections, statementSeconds }: PoolOptions): pg.Pool {
  const settings: pg.PoolConfig & { onConnect: (client: pg.ClientBase) => Promise<unknown> } = {
    connectionString: url,
    application_name: name,
    max: connections,
    connectionTimeoutMillis: connectSeconds * 1_000,
    statement_timeout: statementSeconds * 1_000,
    // For a server that is no longer reachable, and so can't enforce statement_timeout.
    query_timeout: (statementSeconds + 1) * 1_000,
    // A new connection reads its catalogs and plans its statements first, which a burst of requests would wait for.
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    // Every query has an index to use, even where outdated statistics suggest a sequential scan. Our queries name their
    // schemas; without a search path, no function in `public` can shadow one of Postgres.
    // Parallel workers answer one request sooner by taking the cores from all others and from the indexer.
    // The timeouts are for a process that freezes, or whose machine has gone, which Postgres would notice after hours: in a transaction it
    // may hold the row for which all registrations wait, and else an advisory lock. An upload holds one while it waits for a provider.
    onConnect: (client) =>
      client.query(
        "set enable_seqscan = off; set jit = off; set max_parallel_workers_per_gather = 0; set search_path = pg_catalog; set idle_in_transaction_session_timeout = '60s'; set idle_session_timeout = '10min'",
      ),
  };
  return tolerateLostConnections(new pg.Pool(connectionOptions(settings)));
}

export function openDatabase(pool: pg.Pool): PooledDatabase {
  return drizzle(pool, { casing: "snake_case" });
}

/** Runs a query built by drizzle. Rows are typed by its columns; numeric and bigint columns are bigints. */
export async function selectRows<Row>(db: Database, query: () => PromiseLike<Row[]>): Promise<Row[]> {
  // A transaction can only be retried as a whole, by whoever started it.
  if (!(db.$client instanceof pg.Pool)) return await query();
  return await retryRead(db.$client, async () => await query());
}

/** Runs a query written in SQL. Columns are as the driver returns them: numeric and bigint as strings. */
export async function queryRows<Row>(db: Database, query: SQL): Promise<Row[]> {
  return await selectRows(db, async () => (await db.execute(query)).rows as Row[]);
}

/** Milliseconds in which an abandoned query may still end: most do, and to cancel one costs a connection. */
const graceMs = 100;

/**
 * Runs a query as {@link queryRows} does. Soon after the signal is aborted, has Postgres end it, and rejects with the signal's reason as
 * soon as it has ended.
 */
export async function queryRowsUnlessAborted<Row>(
  { $client: pool }: PooledDatabase,
  query: SQL,
  signal: AbortSignal,
): Promise<Row[]> {
  return await retryRead(pool, () =>
    onPooledConnection(pool, async (client) => {
      let timer: NodeJS.Timeout | undefined;
      let isCancelled = false;
      const cancel = () => {
        isCancelled = true;
        cancelStatement(client);
      };
      const onAbort = () => {
        timer = setTimeout(cancel, graceMs);
      };
      signal.throwIfAborted();
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return (await drizzle(client, { casing: "snake_case" }).execute(query)).rows as Row[];
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        // Closes the connection, since Postgres may hear of it late.
        if (isCancelled) signal.throwIfAborted();
      }
    }),
  );
}

/** Runs `read` in one snapshot of the database. May call it more than once, to retry. */
export async function inSnapshot<Answer>(
  db: PooledDatabase,
  read: (tx: Database) => Promise<Answer>,
): Promise<Answer> {
  return await retryRead(db.$client, () =>
    inPoolSnapshot(db.$client, (client) => read(drizzle(client, { casing: "snake_case" }))),
  );
}

/** Allows sequential scans, and the server's number of parallel workers, in `read`: faster for what reads whole tables, once in a process. */
export async function readWholeTables<Answer>(tx: Database, read: () => Promise<Answer>): Promise<Answer> {
  await tx.execute(sql`set local enable_seqscan = on; set local max_parallel_workers_per_gather to default`);
  const answer = await read();
  await tx.execute(sql`set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0`);
  return answer;
}

const dialect = new PgDialect({ casing: "snake_case" });

/**
 * Prepares a query that runs many times a second, as a named statement that each connection parses and plans once. The returned
 * function takes its values.
 *
 * @param query has a placeholder for each value, in the same order
 */
export function prepareRows<Row>(name: string, query: () => SQL) {
  let text: string | undefined;
  return async (db: PooledDatabase, values: unknown[]): Promise<Row[]> => {
    text ??= dialect.sqlToQuery(query()).sql;
    const statement = { name, text, values };
    return await retryRead(db.$client, async () => (await db.$client.query(statement)).rows as Row[]);
  };
}

/** The lock is on `key` and the hash of `name`. `shouldWait`: whether to wait while another process holds it. */
type AdvisoryLock = { key: number; name: string; shouldWait: boolean };

/**
 * Runs `work` on a connection that holds the lock. Without `shouldWait`, does nothing if another process holds it. Throws the
 * driver's error if the database fails.
 */
export async function withAdvisoryLock(
  pool: pg.Pool,
  { key, name, shouldWait }: AdvisoryLock,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  // After a failure the connection is closed, which releases its locks.
  await onPooledConnection(pool, async (client) => {
    const { rows } = await client.query(
      shouldWait
        ? "select true as taken from pg_advisory_lock($1, hashtext($2))"
        : "select pg_try_advisory_lock($1, hashtext($2)) as taken",
      [key, name],
    );
    if (!rows[0].taken) return;
    await work(client);
    await client.query("select pg_advisory_unlock($1, hashtext($2))", [key, name]);
  });
}

/** Resolves once the database has answered. */
export async function ping(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}
