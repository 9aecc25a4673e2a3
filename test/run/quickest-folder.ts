import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const memory = "/dev/shm";

/** Several times the peak size of a run's files, so that the programs themselves have enough memory left. */
const minFreeBytes = 8 * 2 ** 30;

/**
 * Returns the folder for a run's temporary files: in memory if there is plenty of it, unless `TMPDIR` is set. A run creates about a
 * hundred databases of a thousand files each, which costs a file system on disk more than everything the tests do with them.
 */
export function quickestFolder(): string {
  return process.env.TMPDIR === undefined && hasRoom() && mayRunPrograms() ? memory : tmpdir();
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) > minFreeBytes;
  } catch {
    return false;
  }
}

/** Whether programs may be run from there: some systems forbid it, and tests copy programs. */
function mayRunPrograms(): boolean {
  try {
    const folder = mkdtempSync(path.join(memory, "launchpad-may-run-"));
    const program = path.join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    const { status } = spawnSync(program);
    rmSync(folder, { recursive: true });
    return status === 0;
  } catch {
    return false;
  }
}
