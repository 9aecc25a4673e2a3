import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A Postgres server for the run. Each test makes a database of its own on it. */
    postgresUrl: string;
  }
}

/** One real Postgres for the whole run, gone with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "launchpad-test-"));
  // As root, Postgres runs as another user, who has to get to the folder.
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dataDir: folder, durable: false });
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
