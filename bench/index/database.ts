import pg from "pg";
import { migrate } from "../../runtime/migrate.ts";

/** Makes an empty database on the server, with the off-chain migrations done. Returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await query(serverUrl, `drop database ${name} with (force)`);
}

/** Does now what Postgres would else do in the background, in the middle of the next measurement. */
export async function settle(url: string): Promise<void> {
  await query(url, "vacuum analyze");
  await query(url, "checkpoint");
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
