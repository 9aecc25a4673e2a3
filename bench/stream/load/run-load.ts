import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Processes } from "../../index/processes.ts";
import { type LoadJob, type LoadResult, readyLine } from "./load.ts";

const program = fileURLToPath(new URL("./main.ts", import.meta.url));
const maxSeconds = 60;

/**
 * Connects the clients in a separate process. Resolves once all are connected. `result` resolves once every client has received
 * every trade, and throws if a trade is missing.
 *
 * @param folder the folder for the job and the result
 */
export async function startLoad(processes: Processes, folder: string, options: Omit<LoadJob, "result">) {
  const job: LoadJob = { ...options, result: path.join(folder, "load-result.json") };
  const file = path.join(folder, "load-job.json");
  await writeFile(file, JSON.stringify(job));
  let isReady = false;
  const child = processes.start(process.execPath, [program, file], {
    onLine(line) {
      if (line === readyLine) isReady = true;
    },
  });
  while (!isReady) {
    await processes.assertAlive(child, "the load");
    await delay(20);
  }

  return {
    async result(): Promise<LoadResult> {
      const ended = await Promise.race([child.exited, delay(1_000 * maxSeconds)]);
      if (ended?.code !== 0) {
        throw new Error(["the clients did not get everything", ...child.lastLines()].join("\n  "));
      }
      return JSON.parse(await readFile(job.result, "utf8")) as LoadResult;
    },
  };
}
