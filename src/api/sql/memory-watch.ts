import { readFile } from "node:fs/promises";

const everyMs = 100;
const pageBytes = 4_096;

/**
 * Calls `onExceeded` once a server process of Postgres has more memory of its own than this. Postgres has a limit for each sort and
 * hash, and none for the values that a statement builds, of up to a gigabyte each. Only where the process is on this machine and
 * Linux shows it, as with the embedded Postgres: elsewhere nothing is watched.
 *
 * @param pid as Postgres tells it
 * @param role that the process serves, by which it is told from another one with its number
 * @returns how to stop
 */
export function watchMemory(pid: number, role: string, bytes: number, onExceeded: () => void): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const used = await privateBytes(pid);
    if (isStopped || used === undefined) return;
    if (used > bytes) return onExceeded();
    timer = setTimeout(look, everyMs).unref();
  };
  void serves(pid, role).then((isOurs) => {
    if (isOurs && !isStopped) void look();
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Postgres writes into its title whom it serves. */
async function serves(pid: number, role: string): Promise<boolean> {
  const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return title.startsWith("postgres: ") && title.includes(` ${role} `);
}

async function privateBytes(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => undefined);
  const [, resident, shared] = text?.split(" ") ?? [];
  return resident === undefined ? undefined : (Number(resident) - Number(shared)) * pageBytes;
}
