import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrateOffchain } from "../../offchain/migrate.ts";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { query } from "../../runtime/process/fixtures/query.ts";
import { onceForTheRun } from "./once-for-the-run.ts";
import { migrateSyncTables } from "./ponder-sync.ts";
import { whenWeAreGone } from "./watchman.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A Postgres server for the run. Each test makes a database of its own on it. */
    postgresUrl: string;
    /** The same as the role that the service reads with. */
    postgresReadUrl: string;
    /** The same as the role for analysts. */
    postgresAnalystUrl: string;
    /** The same as the superuser. */
    postgresAdminUrl: string;
    /** A database on it that others are copies of: the off-chain migrations are done, and Ponder's own. */
    templateDatabase: string;
    /** The data folder of an embedded Postgres after its first start, for copies. */
    postgresHome: string;
  }
}

const templateDatabase = "launchpad_template";

/** One real Postgres for the whole run, gone with it. */
export default onceForTheRun("postgres", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "postgres-"));
  // As root, Postgres runs as another user, who has to get to the folder.
  await chmod(folder, 0o711);
  const home = path.join(folder, "first-start");
  const first = await startPostgres({ dataDir: home, durable: false });
  await makeLoginsQuick(first.adminUrl);
  await first.stop();
  const dataDir = path.join(folder, "run");
  execFileSync("cp", ["-a", home, dataDir]);
  const postgres = await startPostgres({ dataDir, durable: false });
  // Tests fill tables behind the back of their triggers.
  await query(postgres.adminUrl, "grant set on parameter session_replication_role to launchpad");
  // The kernel copies the files of a template, at a quarter of what it costs Postgres.
  await query(postgres.adminUrl, "alter system set file_copy_method = clone");
  await query(postgres.adminUrl, "select pg_reload_conf()");
  const { dismiss } = whenWeAreGone('kill -INT "$1"', `${postgres.pid}`);
  await makeTemplate(postgres);
  return {
    provide(project) {
      project.provide("postgresUrl", postgres.url);
      project.provide("postgresReadUrl", postgres.readUrl);
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
 * A password is hashed 4,096 times for each login, which guards it against whoever steals the hashes. The next start does the same for
 * the other roles.
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
  // Of the service's own one, in which the role that can only read may not call all functions.
  await query(adminUrl, `create database ${templateDatabase} template launchpad owner launchpad`);
  const template = new URL(url);
  template.pathname = `/${templateDatabase}`;
  await migrateOffchain(template.href);
  await migrateSyncTables(template.href);
}
