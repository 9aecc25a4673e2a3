import { createRequire, findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";

const ponder = findPackageJSON("ponder", import.meta.url) ?? "";
const importPonder = (file: string) =>
  import(/* @vite-ignore */ pathToFileURL(path.join(path.dirname(ponder), "dist/esm/sync-store", file)).href);

/**
 * Creates Ponder's sync tables, which store what it has read from the chains, with its own migrations. There are twenty of them,
 * half of the work that a starting service gives Postgres.
 */
export async function migrateSyncTables(url: string): Promise<void> {
  const { buildMigrationProvider } = await importPonder("migrations.js");
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

/** Which blocks of a chain Ponder has stored, as Ponder itself records and reads it. */
export async function openBlockRecord(client: pg.Client, chainId: number) {
  const { createSyncStore } = await importPonder("index.js");
  const db = drizzle(client, { casing: "snake_case" });
  const wrap = (_: unknown, run: (given: typeof db) => unknown) => run(db);
  const options = { databaseMaxQueryParameters: 1_000 };
  const store = createSyncStore({ common: { options }, qb: { raw: db, wrap } });
  const filter = { type: "block", chainId, interval: 1, offset: 0 };
  return {
    /** Records the blocks of a range, whose ends are included. */
    async add(interval: [first: number, last: number]): Promise<void> {
      await store.insertIntervals({ intervals: [{ filter, interval }], factoryIntervals: [], chainId });
    },
    async read(): Promise<[first: number, last: number][]> {
      const found = await store.getIntervals({ filters: [filter] });
      return found.get(filter)[0].intervals;
    },
  };
}
