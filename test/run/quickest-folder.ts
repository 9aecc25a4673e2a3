import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const memory = "/dev/shm";

/** What a run may come to at its height, several times over: it must not be short of memory for the programs themselves. */
const leastBytes = 8 * 2 ** 30;

/**
 * Where the temporary files of a run go: into memory where there is plenty of it. A run makes some hundred databases of a thousand
 * files each, which costs a disk's file system more than all that the tests then do with them. `TMPDIR` is another place.
 */
export function quickestFolder(): string {
  return process.env.TMPDIR === undefined && hasRoom() && mayRunPrograms() ? memory : tmpdir();
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) > leastBytes;
  } catch {
    return false;
  }
}

/** Some systems forbid it there, and tests copy programs. */
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
