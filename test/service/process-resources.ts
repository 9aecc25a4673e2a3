import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A process's resident memory, in bytes (Linux). */
export function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kibibytes) * 1_024;
}

/** The files below a folder that a process has open (Linux). */
export function openFiles(pid: number, folder: string): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      // Closed since the list was read.
      return [];
    }
  });
}

/** Whether all threads of a process stand still after SIGSTOP (Linux). */
export function isStopped(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) =>
    /^State:\s+T/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")),
  );
}
