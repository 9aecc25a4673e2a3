import { readlinkSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { processCommand, processIsAlive, waitUntil } from "../process/process-identity.ts";
import { StartError } from "../start-error.ts";

/**
 * Stops a Postgres that an earlier instance of the service left running on this data, and removes a pid file whose pid now
 * belongs to an unrelated process. Postgres can't tell the two apart: a reused pid, which containers have after every
 * restart, would keep it from starting forever.
 *
 * @param wasOurs Whether the lock of a dead instance was found. If not, the Postgres was started by hand: it is left
 *   running, and a StartError is thrown.
 */
export async function clearOrphan(
  cluster: string,
  wasOurs: boolean,
  log: (line: string) => void,
): Promise<void> {
  const pidFile = path.join(cluster, "postmaster.pid");
  const pid = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10);
  if (!(pid > 0) || !processIsAlive(pid)) return;
  if (!servesCluster(pid, cluster)) {
    await rm(pidFile, { force: true });
    return;
  }
  if (!wasOurs) {
    throw new StartError(
      `a Postgres that was started by hand (pid ${pid}) uses the data in ${cluster}: stop it first`,
      { code: "in-use" },
    );
  }
  log(`stopping the Postgres (pid ${pid}) that an earlier run left behind`);
  // Fast shutdown, then immediate, then a kill. The data survives each of them.
  for (const [signal, timeoutMs] of [
    ["SIGINT", 10_000],
    ["SIGQUIT", 6_000],
    ["SIGKILL", 2_000],
  ] as const) {
    if (!processIsAlive(pid) || !servesCluster(pid, cluster)) return;
    process.kill(pid, signal);
    if (await waitUntil(() => !processIsAlive(pid), timeoutMs)) return;
  }
  throw new StartError(`the Postgres (pid ${pid}) of an earlier run cannot be stopped: stop it by hand`, {
    code: "in-use",
  });
}

function servesCluster(pid: number, cluster: string): boolean {
  const command = processCommand(pid);
  if (command === undefined || !/postgres/.test(command)) return false;
  if (process.platform !== "linux") return command.includes(cluster);
  try {
    // The working directory of every Postgres process is its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}
