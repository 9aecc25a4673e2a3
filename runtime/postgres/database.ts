import type pg from "pg";
import { childEnvironment } from "../../config/process-environment.ts";
import { statement } from "../../offchain/connection.ts";
import { analystRole, sqlRole } from "../../offchain/read-grants.ts";
import { fileError } from "../start-error.ts";
import { readConnection } from "./data-home.ts";
import { lockHolder } from "./instance-lock.ts";

/** The service's database. */
export const DATABASE = "launchpad";

/**
 * `admin` is the cluster's superuser, used during the start only. `owner` owns the database and its tables; the service
 * writes as this role. `api` can read the tables of the API and nothing else. `sql` runs clients' SQL. `reader` is for people, and
 * separate from the others so that they can neither affect the service's sessions nor use up its connections.
 */
export const ROLES = {
  admin: "launchpad_admin",
  owner: "launchpad",
  api: "launchpad_api",
  reader: analystRole,
  sql: sqlRole,
} as const;

/** The SQLSTATE of both a wrong password and an unknown role. */
export const WRONG_PASSWORD = "28P01";

/** The connection string of a role on a local server. */
export function databaseUrl(port: number, role: string, password: string, database = DATABASE): string {
  const url = `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  // The server has no TLS, which this variable would ask for: whoever has set it means other servers.
  return childEnvironment({}).PGSSLMODE ? `${url}?sslmode=disable` : url;
}

export async function createRole(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [name]);
  if (rowCount === 0) await client.query(statement`create role ${name}`);
}

/** Keeps this session's statements out of the server's log, since they contain passwords. */
export async function keepOutOfLog(client: pg.Client): Promise<void> {
  await client.query(
    "set log_min_error_statement = panic; set log_statement = none; set log_min_duration_statement = -1",
  );
}

/** Connection strings for writing, for reading, and for clients' SQL. */
export type DatabaseUrls = { url: string; readUrl: string | undefined; sqlUrl: string | undefined };

/**
 * The URLs of the embedded Postgres that another process runs in this data folder, or undefined if there is none. Throws a
 * StartError if its passwords can't be read.
 */
export async function findRunningPostgres(dataDir: string): Promise<DatabaseUrls | undefined> {
  if ((await lockHolder(dataDir)) === undefined) return undefined;
  try {
    const connection = await readConnection(dataDir);
    // Postgres is still starting.
    if (connection === undefined) return undefined;
    const { port, owner, api, reader, sql } = connection;
    const urlOf = (role: string, password: string | undefined) =>
      password === undefined ? undefined : databaseUrl(port, role, password);
    return {
      url: databaseUrl(port, ROLES.owner, owner),
      // A server that an earlier version started lacks these roles.
      readUrl: urlOf(ROLES.api, api),
      sqlUrl: urlOf(ROLES.sql, sql) ?? (api === undefined ? undefined : urlOf(ROLES.reader, reader)),
    };
  } catch (error) {
    throw fileError(error, dataDir);
  }
}
