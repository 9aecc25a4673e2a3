import { readFile } from "node:fs/promises";

const pollIntervalMs = 100;
const pageBytes = 4_096;

/**
 * Calls `onExceeded` once a Postgres server process uses more private memory than this. Postgres limits each sort and hash,
 * but not the values that a statement builds, of up to a gigabyte each. Watches only processes on this machine that Linux
 * shows in /proc, as with the embedded Postgres; otherwise does nothing.
 *
 * @param pid the process id that Postgres reports
 * @param role the role that the process serves, which distinguishes it from a local process with the same id
 * @returns a function that stops watching
 */
export function watchMemory(pid: number, role: string, bytes: number, onExceeded: () => void): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    const used = await privateBytes(pid);
    if (isStopped || used === undefined) return;
    if (used > bytes) return onExceeded();
    timer = setTimeout(check, pollIntervalMs).unref();
  };
  void isServing(pid, role).then((isOurs) => {
    if (isOurs && !isStopped) void check();
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Whether a process serves the role, which Postgres writes into its process title. */
async function isServing(pid: number, role: string): Promise<boolean> {
  const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return title.startsWith("postgres: ") && title.includes(` ${role} `);
}

async function privateBytes(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => undefined);
  const [, resident, shared] = text?.split(" ") ?? [];
  return resident === undefined ? undefined : (Number(resident) - Number(shared)) * pageBytes;
}
