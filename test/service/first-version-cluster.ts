import { spawnSync } from "node:child_process";
import { chown, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { migrateOffchain } from "../../offchain/migrate.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { findBinaries } from "../../runtime/postgres/binaries.ts";
import { databaseUrl } from "../../runtime/postgres/database.ts";
import { launchServer } from "../../runtime/postgres/server-process.ts";
import { chooseServerUser } from "../../runtime/postgres/server-user.ts";
import { query } from "../../runtime/process/fixtures/query.ts";

const password = "of the first version";

/** Creates a data folder as the first version did, with the superuser `launchpad` as its only role, and runs servers in it. */
export async function makeFirstVersionCluster(dataDir: string) {
  const user = process.getuid?.() === 0 ? await chooseServerUser(undefined) : undefined;
  const binaries = await findBinaries(user, path.join(dataDir, "..", "programs"));
  const cluster = path.join(dataDir, "cluster");
  await mkdir(cluster, { recursive: true, mode: 0o711 });
  const passwordFile = path.join(dataDir, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  const logFile = path.join(dataDir, "postgres.log");
  await writeFile(logFile, "");
  if (user !== undefined) {
    for (const file of [cluster, passwordFile, logFile]) await chown(file, user.uid, user.gid);
  }
  const initdb = [`--pgdata=${cluster}`, "--username=launchpad", `--pwfile=${passwordFile}`, "--no-sync"];
  const encoding = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
  const { status, stderr } = spawnSync(binaries.initdb, [...initdb, ...encoding], { cwd: "/", ...user });
  if (status !== 0) throw new Error(`initdb: ${stderr}`);

  /** Runs the server as the first version did, while `work` runs. */
  async function serve<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
    const port = await freePort();
    const options = { home: dataDir, cluster, user, binaries, port, logFile, durable: false };
    const server = await launchServer({ ...options, reaper: undefined, signal: undefined });
    const urlOf = (database: string) => databaseUrl(port, "launchpad", password, database);
    try {
      const databases = await query(urlOf("postgres"), "select from pg_database where datname = 'launchpad'");
      if (databases.length === 0) await query(urlOf("postgres"), "create database launchpad");
      await migrateOffchain(urlOf("launchpad"));
      return await work(urlOf("launchpad"));
    } finally {
      await server.stop(4_000);
    }
  }

  return { password, serve };
}
