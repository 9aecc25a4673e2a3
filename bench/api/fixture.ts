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

/** A filled database, and the contracts that it refers to. */
export type Fixture = { databaseUrl: string; deployment: LaunchpadDeployment };

type FixtureOptions = FixtureSize & {
  dataDir: string;
  /** A Postgres server to use instead of the embedded one. */
  serverUrl: string | undefined;
  log: (line: string) => void;
};

/** The files that decide what is in the tables. Migrations are not among them: they run on a filled database, too. */
const fingerprintedFolder = "seed";
const fingerprintedFiles = ["../../ponder.schema.ts", "../../offchain/search.ts"];

/** The superuser's URL, and that of the analysts' role if its password is known. */
type Server = { serverUrl: string; sqlUrl: string | undefined };

/**
 * Starts the server for a database of this size: an embedded Postgres with the settings that users get, unless a server is given.
 * Its data is kept between runs.
 */
export async function startServer(
  supervisor: Supervisor,
  { tokens, trades, dataDir, serverUrl, log }: FixtureOptions,
): Promise<Server> {
  if (serverUrl !== undefined) return { serverUrl, sqlUrl: undefined };
  const home = path.resolve(dataDir, "bench");
  const prefix = `api-${tokens}-${trades}-`;
  const folder = prefix + (await fingerprint());
  for (const old of await readdir(home).catch(() => [])) {
    if (old.startsWith(prefix) && old !== folder) await remove(path.join(home, old));
  }
  const isSeeded = existsSync(path.join(home, folder));
  const { adminUrl, sqlUrl } = await supervisor.adopt("Postgres", (context) =>
    startPostgres({
      dataDir: path.join(home, folder),
      minimumFreeBytes: isSeeded ? undefined : 200_000_000 + 4_000 * tokens + 1_700 * trades,
      log,
      ...context,
    }),
  );
  return { serverUrl: adminUrl, sqlUrl };
}

/** Opens the database of this size on the server, and fills it first if necessary. */
export async function openFixture(
  processes: Processes,
  serverUrl: string,
  options: FixtureOptions,
): Promise<Fixture> {
  const { tokens, trades, log } = options;
  const name = `bench_api_${tokens}_${trades}_${await fingerprint()}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const found = await readSeedMarker(url.href);
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
  await writeSeedMarker(databaseUrl, deployment);
  log(`Seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  return { databaseUrl, deployment };
}

async function readSeedMarker(databaseUrl: string): Promise<LaunchpadDeployment | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ deployment: LaunchpadDeployment }>(
      "select deployment from bench_fixture",
    );
    return rows[0]?.deployment;
  } catch (error) {
    // The database or the table doesn't exist.
    if (codeOf(error) === "3D000" || codeOf(error) === "42P01") return undefined;
    throw error;
  } finally {
    await client.end();
  }
}

async function writeSeedMarker(databaseUrl: string, deployment: LaunchpadDeployment): Promise<void> {
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
  const names = await readdir(fileURLToPath(new URL(fingerprintedFolder, import.meta.url)));
  const files = [...fingerprintedFiles, ...names.sort().map((name) => `${fingerprintedFolder}/${name}`)];
  for (const file of files) hash.update(await readFile(fileURLToPath(new URL(file, import.meta.url))));
  return hash.digest("hex").slice(0, 12);
}

/** Removes a folder and, if it is a link because root's Postgres could not reach it, the folder that it links to. */
async function remove(folder: string): Promise<void> {
  const target = await realpath(folder).catch(() => undefined);
  if (target !== undefined) await rm(target, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
