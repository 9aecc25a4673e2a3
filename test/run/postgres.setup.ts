import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrateOffchain } from "../../offchain/migrate.ts";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { query } from "../../runtime/process/fixtures/query.ts";
import { onceForTheRun } from "./once-for-the-run.ts";
import { migrateSyncTables } from "./ponder-sync.ts";
import { runAfterExit } from "./watchman.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's Postgres server. Each test creates its own database on it. */
    postgresUrl: string;
    /** The same, for the role that the service reads with. */
    postgresReadUrl: string;
    /** The same, for the role that clients' SQL runs as. */
    postgresSqlUrl: string;
    /** The same, for the analysts' role. */
    postgresAnalystUrl: string;
    /** The same, for the superuser. */
    postgresAdminUrl: string;
    /** The template of the tests' databases, with the off-chain migrations and Ponder's own already applied. */
    templateDatabase: string;
    /** The data folder that an embedded Postgres leaves after its first start, to be copied. */
    postgresHome: string;
  }
}

const templateDatabase = "launchpad_template";

/** Starts one real Postgres for the whole run, and removes it afterwards. */
export default onceForTheRun("postgres", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "postgres-"));
  // If we are root, Postgres runs as another user, who must be able to reach the folder.
  await chmod(folder, 0o711);
  const home = path.join(folder, "first-start");
  const first = await startPostgres({ dataDir: home, durable: false });
  await makeLoginsQuick(first.adminUrl);
  await first.stop();
  const dataDir = path.join(folder, "run");
  execFileSync("cp", ["-a", home, dataDir]);
  const postgres = await startPostgres({ dataDir, durable: false });
  // Tests fill tables with triggers disabled.
  await query(postgres.adminUrl, "grant set on parameter session_replication_role to launchpad");
  // The kernel clones a template's files, at a quarter of the cost of Postgres' own copy.
  await query(postgres.adminUrl, "alter system set file_copy_method = clone");
  await query(postgres.adminUrl, "select pg_reload_conf()");
  const { dismiss } = runAfterExit('kill -INT "$1"', `${postgres.pid}`);
  await makeTemplate(postgres);
  return {
    provide(project) {
      project.provide("postgresUrl", postgres.url);
      project.provide("postgresReadUrl", postgres.readUrl);
      project.provide("postgresSqlUrl", postgres.sqlUrl);
      project.provide("postgresAnalystUrl", postgres.analystUrl);
      project.provide("postgresAdminUrl", postgres.adminUrl);
      project.provide("templateDatabase", templateDatabase);
      project.provide("postgresHome", home);
    },
    async stop() {
      await postgres.stop();
      dismiss();
      await rm(folder, { recursive: true, force: true });
    },
  };
});

/**
 * Makes logins cheap: by default each one hashes the password 4,096 times, to protect it if the hashes are stolen. The next start
 * sets the other roles' passwords with this setting.
 */
async function makeLoginsQuick(adminUrl: string): Promise<void> {
  const { username, password } = new URL(adminUrl);
  await query(adminUrl, "alter system set scram_iterations = 1");
  await query(
    adminUrl,
    `set scram_iterations = 1; alter role ${username} password '${decodeURIComponent(password)}'`,
  );
}

async function makeTemplate({ url, adminUrl }: { url: string; adminUrl: string }): Promise<void> {
  // A copy of the service's own database, in which the read-only role may not call every function.
  await query(adminUrl, `create database ${templateDatabase} template launchpad owner launchpad`);
  const template = new URL(url);
  template.pathname = `/${templateDatabase}`;
  await migrateOffchain(template.href);
  await migrateSyncTables(template.href);
}
