import { statfs } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../../config/error-code.ts";
import { readLastBackup } from "../../../offchain/last-backup.ts";
import { gauge, metricText } from "../http/metric-text.ts";
import { storageFull } from "./image-error.ts";

/** Throws an ImageError 503 `storage_full` if the disk of `folder`, which need not exist yet, has fewer than `bytes` free. */
export async function assertFreeDisk(folder: string, bytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free !== undefined && free < bytes)
    throw storageFull(`the disk of ${folder} has ${free} bytes free, and ${bytes} must stay free`);
}

/** Reads the bytes free on the disk of `folder`, which need not exist yet. Undefined if the file system doesn't tell. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = path.dirname(folder);
    if (codeOf(error) !== "ENOENT" || parent === folder) return undefined;
    return await freeBytes(parent);
  }
}

/** Reads the free space on the disk of `dataDir`, and the time of the last backup of it, as metrics in the text format of Prometheus. */
export async function readDiskMetrics(dataDir: string): Promise<string> {
  return metricText([
    gauge("launchpad_disk_free_bytes", "Bytes free on the disk of DATA_DIR", await freeBytes(dataDir)),
    gauge(
      "launchpad_backup_timestamp_seconds",
      "When npm run backup last wrote a complete backup",
      await readLastBackup(dataDir),
    ),
  ]);
}
