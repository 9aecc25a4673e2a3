import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { setPriority } from "node:os";
import { promisify } from "node:util";
import { sqlLimits } from "./limits.ts";

const run = promisify(execFile);
let isReported = false;

/**
 * Limits the Postgres process of a connection, where it runs on this machine and we may: it gets the lowest priority, and
 * `sqlLimits.memoryBytes` of memory of its own. Postgres limits each sort and hash, but not the values that a statement builds, of
 * up to a gigabyte each; with this limit, the statement fails with an error.
 *
 * @param pid the process id that Postgres reports
 * @param role the role that the process serves, which distinguishes it from a process with the same id on another machine
 */
export async function limitBackend(pid: number, role: string): Promise<void> {
  const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (!title.startsWith("postgres: ") || !title.includes(` ${role} `)) return;
  try {
    setPriority(pid, 19);
    // Another user's process can't be limited without a privilege that containers lack, so this runs as its user.
    const { uid, gid } = await stat(`/proc/${pid}`);
    const user = process.getuid?.() === 0 ? { uid, gid } : {};
    await run("prlimit", ["--pid", String(pid), `--data=${sqlLimits.memoryBytes}`], user);
  } catch (error) {
    // Its session may have been closed meanwhile.
    const isGone = !existsSync(`/proc/${pid}`);
    if (isReported || isGone) return;
    console.error("the memory of Postgres processes that run clients' SQL is not limited:", error);
    isReported = true;
  }
}
