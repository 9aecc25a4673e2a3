import pg from "pg";
import { inject } from "vitest";
import { migrateOffchain } from "../../offchain/migrate.ts";

export type OpenDatabase = {
  url: string;
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  close: () => Promise<void>;
};

export type TestDatabase = OpenDatabase & { drop: () => Promise<void> };

let count = 0;

/** A database of its own on the run's Postgres, with the off-chain migrations done. */
export async function createDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${process.pid}_${++count}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateOffchain(url.href);

  const database = openDatabase(url.href);
  return {
    ...database,
    async drop() {
      await database.close();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

/** Connects to a database that exists. */
export function openDatabase(url: string): OpenDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // A server that stops cuts idle connections, which is nobody's failure.
  pool.on("error", () => {});
  return {
    url,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    close: () => pool.end(),
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
