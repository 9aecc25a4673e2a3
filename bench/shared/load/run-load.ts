import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Processes } from "../../index/processes.ts";
import type { LoadJob, LoadResult } from "./load.ts";

const program = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Runs a load in a separate process. Throws if a request was refused. */
export async function runLoad(processes: Processes, job: LoadJob): Promise<LoadResult> {
  const file = path.join(tmpdir(), `launchpad-bench-load-${process.pid}.json`);
  await writeFile(file, JSON.stringify(job));
  try {
    let result: LoadResult | undefined;
    const child = processes.start(process.execPath, [program, file], {
      onLine(line) {
        if (line.startsWith("{")) result = JSON.parse(line) as LoadResult;
      },
    });
    const { code } = await child.exited;
    if (code !== 0 || result === undefined) {
      throw new Error(["the load failed", ...child.lastLines()].join("\n  "));
    }
    if (result.refused > 0) throw new Error(`${result.refused} of ${result.count} requests were refused`);
    return result;
  } finally {
    await rm(file, { force: true });
  }
}
