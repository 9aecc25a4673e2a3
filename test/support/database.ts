import pg from "pg";
import { inject } from "vitest";
import { migrateOffchain } from "../../offchain/migrate.ts";

export type TestDatabase = {
  url: string;
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  drop: () => Promise<void>;
};

let count = 0;

/** A database of its own on the run's Postgres, with the off-chain migrations done. */
export async function createDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${process.pid}_${++count}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateOffchain(url.href);

  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    async drop() {
      await pool.end();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
