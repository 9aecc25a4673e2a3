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
