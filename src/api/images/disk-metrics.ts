import { readLastBackup } from "../../../offchain/last-backup.ts";
import { metricText } from "../http/metric-text.ts";
import { freeBytes } from "./free-disk.ts";

/** Reads the free space on the disk of `dataDir`, and the time of the last backup of it, as metrics in the text format of Prometheus. */
export async function readDiskMetrics(dataDir: string): Promise<string> {
  return metricText([
    {
      name: "launchpad_disk_free_bytes",
      type: "gauge",
      help: "Bytes free on the disk of DATA_DIR",
      samples: [{ value: (await freeBytes(dataDir)) ?? null }],
    },
    {
      name: "launchpad_backup_timestamp_seconds",
      type: "gauge",
      help: "When npm run backup last wrote a complete backup",
      samples: [{ value: (await readLastBackup(dataDir)) ?? null }],
    },
  ]);
}
