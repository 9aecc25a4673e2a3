import { metricText } from "../http/metric-text.ts";
import { freeBytes } from "./free-disk.ts";

/** How much room the disk of `dataDir` has, in Prometheus' text format. */
export async function readDiskMetrics(dataDir: string): Promise<string> {
  return metricText([
    {
      name: "launchpad_disk_free_bytes",
      type: "gauge",
      help: "Bytes free on the disk of DATA_DIR",
      samples: [{ value: (await freeBytes(dataDir)) ?? null }],
    },
  ]);
}
