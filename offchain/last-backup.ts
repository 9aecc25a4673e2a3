import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** Its time of change is that of the last complete backup. */
const fileIn = (dataDir: string) => path.join(dataDir, "last-backup");

/** Notes in `DATA_DIR` that a complete backup was written, for the metric of its age. Throws the error of the file system. */
export async function noteBackup(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // One of another user, such as root, can't be written, but replaced.
  await rm(fileIn(dataDir), { force: true });
  await writeFile(fileIn(dataDir), `${path.resolve(file)}\n`);
}

/** Reads when the last complete backup was written, in seconds since 1970; undefined if there has been none. */
export async function readLastBackup(dataDir: string): Promise<number | undefined> {
  const stats = await stat(fileIn(dataDir)).catch(() => undefined);
  return stats && Math.floor(stats.mtimeMs / 1_000);
}
