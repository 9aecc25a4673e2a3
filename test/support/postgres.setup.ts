import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrateOffchain } from "../../offchain/migrate.ts";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { onceForTheRun } from "./once-for-the-run.ts";
import { whenWeAreGone } from "./watchman.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A Postgres server for the run. Each test makes a database of its own on it. */
    postgresUrl: string;
    /** A database on it that others are copies of: the off-chain migrations are done. */
    templateDatabase: string;
  }
}

const templateDatabase = "launchpad_template";

/** One real Postgres for the whole run, gone with it. */
export default onceForTheRun("postgres", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "postgres-"));
  // As root, Postgres runs as another user, who has to get to the folder.
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dataDir: folder, durable: false });
  const { dismiss } = whenWeAreGone('kill -INT "$1"', `${postgres.pid}`);
  await makeTemplate(postgres.url);
  return {
    provide(project) {
      project.provide("postgresUrl", postgres.url);
      project.provide("templateDatabase", templateDatabase);
    },
    async stop() {
      await postgres.stop();
      dismiss();
      await rm(folder, { recursive: true, force: true });
    },
  };
});

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${templateDatabase}`).finally(() => client.end());
  const url = new URL(serverUrl);
  url.pathname = `/${templateDatabase}`;
  await migrateOffchain(url.href);
}
