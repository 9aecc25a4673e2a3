import { execFileSync } from "node:child_process";
import { chown, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../../runtime/checks/host.ts";
import { defaultCopyDir, findBinaries } from "../../runtime/postgres/binaries.ts";
import { chooseServerUser } from "../../runtime/postgres/server-user.ts";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { query } from "../../runtime/process/fixtures/query.ts";
import { runAfterExit } from "../run/watchman.ts";
import { until } from "./condition.ts";
import { copyPostgresHome } from "./postgres-home.ts";
import { runCommand } from "./program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;
export type StreamingReplica = Awaited<ReturnType<typeof startReplica>>;

/** Starts an embedded Postgres with streaming replicas. */
export async function startReplicatedPostgres(count: number) {
  const place = await temporaryFolder();
  const home = path.join(place.folder, "primary");
  await copyPostgresHome(home);
  // No server is running in it, so a copy of the files is a complete backup.
  const clusters = Array.from({ length: count }, (_, index) => path.join(place.folder, `replica-${index}`));
  for (const cluster of clusters) execFileSync("cp", ["-a", path.join(home, "cluster"), cluster]);
  const primary = await startPostgres({ dataDir: home, durable: false });
  const watchman = runAfterExit('kill -INT "$1"', `${primary.pid}`);
  // Keeps what a replica that is down for a while will need.
  await query(primary.adminUrl, "alter system set wal_keep_size = '1GB'");
  await query(primary.adminUrl, "select pg_reload_conf()");
  const replicas = await Promise.all(clusters.map((cluster) => startReplica(cluster, primary.adminUrl)));

  return {
    ...primary,
    replicas,
    /** Resolves once all replicas have replayed what the primary has written so far. */
    async untilReplicated(): Promise<void> {
      const [now] = (await query(primary.adminUrl, "select pg_current_wal_insert_lsn() as lsn")) as {
        lsn: string;
      }[];
      for (const replica of replicas) {
        await until("a replica to have replayed", () => replica.hasReplayed(now?.lsn ?? ""));
      }
    },
    stopPrimary: () => primary.stop(),
    async stop(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await primary.stop();
      watchman.dismiss();
      await place.remove();
    },
  };
}

async function startReplica(cluster: string, primaryUrl: string) {
  const { uid, gid } = await stat(cluster);
  const user = process.getuid?.() === 0 ? await chooseServerUser(uid) : undefined;
  const binaries = await findBinaries(user, defaultCopyDir(user, "/var/lib/launchpad-indexer"));
  const port = await freePort();
  const signal = path.join(cluster, "standby.signal");
  await writeFile(signal, "");
  await chown(signal, uid, gid);
  const primary = new URL(primaryUrl);
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "fsync=off",
    "wal_retrieve_retry_interval=200ms",
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=${primary.username} password=${primary.password}`,
  ];
  const urlOf = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const adminUrl = urlOf(primaryUrl);
  const ask = async (text: string) => (await query(adminUrl, text)) as Record<string, unknown>[];
  let server: ReturnType<typeof runCommand>;
  let watchman: { dismiss(): void };

  async function start(): Promise<void> {
    const args = ["-D", cluster, ...settings.flatMap((setting) => ["-c", setting])];
    server = runCommand(binaries.postgres, args, { cwd: "/", uid: user?.uid });
    watchman = runAfterExit('kill -INT "$1"', `${server.pid}`);
    await until("the replica to answer", async () => {
      if (server.hasExited()) throw new Error(`the replica ended:\n${server.output()}`);
      return (await ask("select pg_is_in_recovery() as is").catch(() => [])).length > 0;
    });
  }
  await start();

  return {
    /** Returns a URL of the primary, for this server. */
    urlOf,
    start,
    async stop(): Promise<void> {
      server.kill("SIGINT");
      await server.exited;
      watchman.dismiss();
    },
    hasReplayed: async (lsn: string) =>
      (await ask(`select pg_last_wal_replay_lsn() >= '${lsn}' as has`))[0]?.has === true,
    /** Pauses replay: the replica keeps answering, with data that no longer changes. */
    async pause(): Promise<void> {
      await ask("select pg_wal_replay_pause()");
      await until(
        "replay to be paused",
        async () => (await ask("select pg_get_wal_replay_pause_state() as state"))[0]?.state === "paused",
      );
    },
    resume: async () => void (await ask("select pg_wal_replay_resume()")),
    /** Promotes it to a primary. */
    promote: async () => void (await ask("select pg_promote()")),
  };
}
