import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, inject } from "vitest";
import { until } from "./condition.ts";

export type OpenDatabase = {
  url: string;
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  close: () => Promise<void>;
};

export type TestDatabase = OpenDatabase & {
  /** For the role that the service reads with. It can read nothing until a test grants it something. */
  readUrl: string;
  /** For the role that clients' SQL runs as. It can read nothing until a test grants it something. */
  sqlUrl: string;
  /** For the analysts' role. It can read nothing until a test grants it something. */
  analystUrl: string;
  /** For the superuser. */
  adminUrl: string;
  /** Changes one row behind the indexer's back: Ponder's triggers would record it as a change that isn't final yet. */
  falsify: (text: string, values: unknown[]) => Promise<void>;
  drop: () => Promise<void>;
};

/** A database for each test of a file, as {@link createDatabase} creates it. */
export function databaseForEachTest(): TestDatabase {
  const database = {} as TestDatabase;
  beforeEach(async () => {
    Object.assign(database, await createDatabase());
  });
  afterEach(() => database.drop());
  return database;
}

/** Creates a separate database on the run's Postgres, with the off-chain migrations and Ponder's own already applied. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const template = inject("templateDatabase");
  await getServerPool().query(
    `create database ${name} template ${template} owner launchpad strategy file_copy`,
  );
  const urlOf = (role: `postgres${"" | "Read" | "Sql" | "Analyst" | "Admin"}Url`) =>
    Object.assign(new URL(inject(role)), { pathname: `/${name}` }).href;

  const database = openDatabase(urlOf("postgresUrl"));
  return {
    ...database,
    readUrl: urlOf("postgresReadUrl"),
    sqlUrl: urlOf("postgresSqlUrl"),
    analystUrl: urlOf("postgresAnalystUrl"),
    adminUrl: urlOf("postgresAdminUrl"),
    async falsify(text, values) {
      const client = new pg.Client(urlOf("postgresAdminUrl"));
      await client.connect();
      try {
        await client.query("set session_replication_role = replica");
        const { rowCount } = await client.query(text, values);
        if (rowCount !== 1) throw new Error(`changed ${rowCount} rows in place of one: ${text}`);
      } finally {
        await client.end();
      }
    },
    async drop() {
      await database.close();
      await dropDatabase(name);
    },
  };
}

/** Connects to an existing database. */
export function openDatabase(url: string): OpenDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // A server that stops cuts idle connections, which is no failure.
  pool.on("error", () => {});
  return {
    url,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    close: () => pool.end(),
  };
}

/**
 * Begins a transaction that has read every table and view of a database, as a long query or a dump does. Returns what ends it.
 */
export async function readEveryTable({
  adminUrl,
}: Pick<TestDatabase, "adminUrl">): Promise<() => Promise<void>> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  const { rows } = await client.query<{ tables: string }>(
    `select string_agg(format('%I.%I', nspname, relname), ', ') as tables
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'v') and nspname !~ '^(pg_|information_schema)'`,
  );
  await client.query(`begin; lock table ${rows[0]?.tables} in access share mode`);
  return () => client.end();
}

/** Keeps the indexer from committing blocks, but not from reverting them. Returns what lets it go on. */
export async function holdBlocks({ adminUrl }: Pick<TestDatabase, "adminUrl">): Promise<() => Promise<void>> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  // Only a block moves the checkpoint; a row lock would hold reverts up, too.
  await client.query(`select pg_advisory_lock(1);
    create function onchain.hold_block() returns trigger language plpgsql
      as $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
    create trigger hold_block before update on onchain._ponder_checkpoint
      for each statement execute function onchain.hold_block()`);
  return async () => {
    await client.query("select pg_advisory_unlock(1)");
    await client.query("drop function onchain.hold_block cascade");
    await client.end();
  };
}

/**
 * Waits for the last connections to close before dropping the database: a pool that was ended may still be closing its own, and a
 * connection that is cut off meanwhile would crash the test process. Connections that stay open longer are cut off.
 */
async function dropDatabase(name: string): Promise<void> {
  const isLeft = async () => {
    const { rows } = await getServerPool().query("select 1 from pg_stat_activity where datname = $1", [name]);
    return rows.length === 0;
  };
  await until("the last connection to hang up", isLeft, 3_000).catch(() => {});
  await getServerPool().query(`drop database ${name} with (force)`);
}

let server: pg.Pool | undefined;

/** One superuser connection for all databases of a worker. It doesn't keep the process alive. */
function getServerPool(): pg.Pool {
  if (server !== undefined) return server;
  const connectionString = inject("postgresAdminUrl");
  if (connectionString === undefined) {
    throw new Error("the project `unit` has no Postgres: see vitest.config.ts");
  }
  server = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
  server.on("error", () => {});
  return server;
}
