import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { connectionOptions } from "../config/connection-options.ts";
import { migrationLock } from "./advisory-locks.ts";
import {
  briefLockTimeout,
  literal,
  reportedByQuery,
  retryWhileLocked,
  sessionSettings,
  statement,
} from "./connection.ts";

const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

/**
 * Brings the `offchain` schema up to date. It has to run before Ponder, whose `listing` view reads it. Several
 * processes may call it at once: they take turns. Throws the driver's error if the database can't be reached or refuses.
 */
export async function migrateOffchain(databaseUrl: string): Promise<void> {
  const client = new pg.Client(
    connectionOptions({
      connectionString: databaseUrl,
      application_name: "offchain_migrate",
      connectionTimeoutMillis: 10_000,
    }),
  );
  client.on("error", reportedByQuery);
  await client.connect();
  try {
    await client.query(sessionSettings);
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    // The version that is running still reads the tables.
    await client.query(statement`set lock_timeout = ${literal(briefLockTimeout)}`);
    await retryWhileLocked(() =>
      migrate(drizzle(client), {
        migrationsFolder,
        migrationsSchema: "offchain",
        migrationsTable: "migration",
      }),
    );
  } finally {
    await client.end().catch(reportedByQuery);
  }
}
