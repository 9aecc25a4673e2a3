import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { query } from "../../runtime/fixtures/query.ts";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A Postgres server for the run. Each test makes a database of its own on it. */
    postgresUrl: string;
    /** The same as the role that can only read. */
    postgresReadUrl: string;
    /** The same as the superuser. */
    postgresAdminUrl: string;
  }
}

/** One real Postgres for the whole run, gone with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "launchpad-test-"));
  // As root, Postgres runs as another user, who has to get to the folder.
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dataDir: folder, durable: false });
  // Tests fill tables behind the back of their triggers.
  await query(postgres.adminUrl, "grant set on parameter session_replication_role to launchpad");
  project.provide("postgresUrl", postgres.url);
  project.provide("postgresReadUrl", postgres.readUrl);
  project.provide("postgresAdminUrl", postgres.adminUrl);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
