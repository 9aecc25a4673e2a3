import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { migrateOffchain } from "../../offchain/migrate.ts";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import type { Supervisor } from "../../runtime/process/supervisor.ts";
import { codeOf } from "../../runtime/start-error.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import type { Processes } from "../index/processes.ts";
import { seed } from "./seed/seed.ts";
import type { FixtureSize } from "./seed/size.ts";

/** A filled database. */
export type Fixture = { databaseUrl: string; deployment: LaunchpadDeployment };

type FixtureOptions = FixtureSize & {
  dataDir: string;
  /** A server to use in place of the embedded one. */
  serverUrl: string | undefined;
  log: (line: string) => void;
};

/** Whatever shapes the tables and what is in them, apart from the migrations, which keep what is there. */
const shapingFolder = "seed";
const shapingFiles = ["../../ponder.schema.ts", "../../offchain/search.ts"];

/**
 * Starts the server of the database of this size: an embedded Postgres with the settings that users get, unless there is
 * one already. Its data is kept from one run to the next.
 */
export async function startServer(
  supervisor: Supervisor,
  { tokens, trades, dataDir, serverUrl, log }: FixtureOptions,
): Promise<string> {
  if (serverUrl !== undefined) return serverUrl;
  const home = path.resolve(dataDir, "bench");
  const prefix = `api-${tokens}-${trades}-`;
  const folder = prefix + (await fingerprint());
  for (const old of await readdir(home).catch(() => [])) {
    if (old.startsWith(prefix) && old !== folder) await remove(path.join(home, old));
  }
  const isSeeded = existsSync(path.join(home, folder));
  const { adminUrl } = await supervisor.adopt("Postgres", (context) =>
    startPostgres({
      dataDir: path.join(home, folder),
      minimumFreeBytes: isSeeded ? undefined : 200_000_000 + 4_000 * tokens + 1_700 * trades,
      log,
      ...context,
    }),
  );
  return adminUrl;
}

/** The database of this size on the server, filled if it is not yet. */
export async function openFixture(
  processes: Processes,
  serverUrl: string,
  options: FixtureOptions,
): Promise<Fixture> {
  const { tokens, trades, log } = options;
  const name = `bench_api_${tokens}_${trades}_${await fingerprint()}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const found = await readMark(url.href);
  if (found !== undefined) {
    await migrateOffchain(url.href);
    return { databaseUrl: url.href, deployment: found };
  }

  log(`Seeding ${tokens} registered tokens and ${trades} trades; they are kept for the next run`);
  const startedAt = performance.now();
  await dropDatabase(serverUrl, name).catch((error: unknown) => {
    if (codeOf(error) !== "3D000") throw error;
  });
  const databaseUrl = await createDatabase(serverUrl, name);
  const deployment = await seed(processes, { tokens, trades, databaseUrl, log });
  await writeMark(databaseUrl, deployment);
  log(`Seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  return { databaseUrl, deployment };
}

async function readMark(databaseUrl: string): Promise<LaunchpadDeployment | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ deployment: LaunchpadDeployment }>(
      "select deployment from bench_fixture",
    );
    return rows[0]?.deployment;
  } catch (error) {
    // No such database, or no such table.
    if (codeOf(error) === "3D000" || codeOf(error) === "42P01") return undefined;
    throw error;
  } finally {
    await client.end();
  }
}

async function writeMark(databaseUrl: string, deployment: LaunchpadDeployment): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("create table bench_fixture (deployment jsonb)");
    await client.query("insert into bench_fixture values ($1)", [JSON.stringify(deployment)]);
  } finally {
    await client.end();
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  const names = await readdir(fileURLToPath(new URL(shapingFolder, import.meta.url)));
  const files = [...shapingFiles, ...names.sort().map((name) => `${shapingFolder}/${name}`)];
  for (const file of files) hash.update(await readFile(fileURLToPath(new URL(file, import.meta.url))));
  return hash.digest("hex").slice(0, 12);
}

/** Removes a folder, and what it links to where root's Postgres could not reach it. */
async function remove(folder: string): Promise<void> {
  const target = await realpath(folder).catch(() => undefined);
  if (target !== undefined) await rm(target, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
