import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../../runtime/checks/host.ts";
import { runAfterExit } from "../run/watchman.ts";
import { until } from "./condition.ts";
import { openDatabase } from "./database.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** `.ci/run` installs it where it can. */
export const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0;

/** Starts a PgBouncer in front of a database's server, with the pool size that docs/self-hosting.md asks for. */
export async function startPgBouncer(databaseUrl: string, mode: "session" | "transaction") {
  const place = await temporaryFolder();
  const { hostname, port, username, password } = new URL(databaseUrl);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${await freePort()}`;
  const users = path.join(place.folder, "users.txt");
  const settings = path.join(place.folder, "pgbouncer.ini");
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${url.port}
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 80
unix_socket_dir =
`,
  );
  // It refuses to run as root, and its user must be able to read these files.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await chmod(place.folder, 0o755);
    for (const file of [users, settings]) await chmod(file, 0o644);
  }
  const pooler = spawn("pgbouncer", [...(isRoot ? ["-u", "nobody"] : []), settings], { stdio: "ignore" });
  const { dismiss } = runAfterExit('kill -9 "$1"', `${pooler.pid}`);
  const exited = once(pooler, "exit").then(dismiss);
  await until("PgBouncer to answer", async () => {
    const connection = openDatabase(url.href);
    const isUp = await connection.query("select").then(
      () => true,
      () => false,
    );
    await connection.close();
    return isUp;
  });

  return {
    url: url.href,
    async stop() {
      pooler.kill("SIGKILL");
      await exited;
      await place.remove();
    },
  };
}
