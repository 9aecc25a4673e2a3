import { createRequire, findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";

/**
 * Creates Ponder's sync tables, which store what it has read from the chains, with its own migrations. There are twenty of them,
 * half of the work that a starting service gives Postgres.
 */
export async function migrateSyncTables(url: string): Promise<void> {
  const ponder = findPackageJSON("ponder", import.meta.url) ?? "";
  const migrations = path.join(path.dirname(ponder), "dist/esm/sync-store/migrations.js");
  const { buildMigrationProvider } = await import(/* @vite-ignore */ pathToFileURL(migrations).href);
  const { Kysely, Migrator, PostgresDialect, WithSchemaPlugin } = createRequire(ponder)("kysely");
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    plugins: [new WithSchemaPlugin("ponder_sync")],
  });
  const provider = buildMigrationProvider({ debug() {}, info() {}, warn() {} });
  const migrator = new Migrator({ db, provider, migrationTableSchema: "ponder_sync" });
  const { error } = await migrator.migrateToLatest();
  await db.destroy();
  if (error !== undefined) throw error;
}
